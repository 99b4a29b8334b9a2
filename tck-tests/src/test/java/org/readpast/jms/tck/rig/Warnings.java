package org.readpast.jms.tck.rig;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** Keeps what is logged from its opening on, from whichever thread, instead of printing it. */
public final class Warnings implements AutoCloseable {

    private final Map<Logger, Level> levelsBefore = new LinkedHashMap<>();
    private final Said said = new Said();

    private static final class Said extends ListAppender<ILoggingEvent> {

        @Override
        protected synchronized void append(ILoggingEvent event) {
            super.append(event);
        }

        synchronized List<ILoggingEvent> from(Level level) {
            return list.stream()
                    .filter(event -> event.getLevel().isGreaterOrEqual(level))
                    .toList();
        }
    }

    /** What the provider logs. */
    public Warnings() {
        this("org.readpast");
    }

    /** What these loggers log, and those below them. */
    public Warnings(String... loggers) {
        said.start();
        for (String name : loggers) {
            Logger logger = (Logger) LoggerFactory.getLogger(name);
            levelsBefore.put(logger, logger.getLevel());
            logger.addAppender(said);
            logger.setAdditive(false);
            logger.setLevel(Level.INFO);
        }
    }

    /** The texts of the warnings so far that contain a word. */
    public List<String> with(String word) {
        return texts(word)
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** The same of all that was said, warning or not. */
    public List<String> said(String word) {
        return texts(word).map(ILoggingEvent::getFormattedMessage).toList();
    }

    private Stream<ILoggingEvent> texts(String word) {
        return said.from(Level.INFO).stream()
                .filter(event -> event.getFormattedMessage().contains(word));
    }

    /** Warnings and errors so far, as they would be printed: a stack trace has a line for each of its frames. */
    public List<String> lines() {
        return said.from(Level.WARN).stream().flatMap(Warnings::lines).toList();
    }

    private static Stream<String> lines(ILoggingEvent event) {
        Stream<String> text = Stream.of(event.getFormattedMessage());
        return event.getThrowableProxy() == null
                ? text
                : Stream.concat(
                        text,
                        ThrowableProxyUtil.asString(event.getThrowableProxy()).lines());
    }

    @Override
    public void close() {
        levelsBefore.forEach((logger, level) -> {
            logger.setLevel(level);
            logger.setAdditive(true);
            logger.detachAppender(said);
        });
    }
}
