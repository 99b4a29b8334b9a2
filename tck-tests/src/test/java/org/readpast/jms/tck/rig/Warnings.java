package org.readpast.jms.tck.rig;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Keeps the warnings that the provider logs from its opening on, from whichever thread, instead of printing them. */
public final class Warnings implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger("org.readpast");
    private final Level levelBefore = root.getLevel();
    private final Said said = new Said();

    private static final class Said extends ListAppender<ILoggingEvent> {

        @Override
        protected synchronized void append(ILoggingEvent event) {
            super.append(event);
        }

        synchronized List<String> warnings(String word) {
            return list.stream()
                    .filter(event -> event.getLevel() == Level.WARN)
                    .map(ILoggingEvent::getFormattedMessage)
                    .filter(message -> message.contains(word))
                    .toList();
        }
    }

    public Warnings() {
        said.start();
        root.addAppender(said);
        root.setAdditive(false);
        root.setLevel(Level.WARN);
    }

    /** The texts of those so far that contain a word. */
    public List<String> with(String word) {
        return said.warnings(word);
    }

    @Override
    public void close() {
        root.setLevel(levelBefore);
        root.setAdditive(true);
        root.detachAppender(said);
    }
}
