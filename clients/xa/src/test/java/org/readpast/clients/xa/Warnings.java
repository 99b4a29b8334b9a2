package org.readpast.clients.xa;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What Readpast warns of about transaction managers meanwhile. */
final class Warnings implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("org.readpast.jms.engine.support");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    Warnings() {
        // Read while others log.
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        logger.addAppender(log);
    }

    List<String> texts() {
        return log.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(log);
    }
}
