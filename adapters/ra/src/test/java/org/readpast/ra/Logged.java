package org.readpast.ra;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** What a class logs until this is closed, and nobody else sees. Thread-safe. */
public final class Logged extends Handler implements AutoCloseable {

    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final Logger logger;

    public Logged(Class<?> by) {
        logger = Logger.getLogger(by.getName());
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    @Override
    public void publish(LogRecord line) {
        records.add(line);
    }

    /** Its lines: the level, as java.util.logging has it, and the text. */
    public List<String> lines() {
        return records.stream()
                .map(line -> line.getLevel().getName() + " " + line.getMessage())
                .collect(Collectors.toList());
    }

    /** The stacks that its lines came with. */
    String stacks() {
        return records.stream()
                .map(LogRecord::getThrown)
                .filter(Objects::nonNull)
                .flatMap(thrown -> Arrays.stream(thrown.getStackTrace()))
                .map(StackTraceElement::toString)
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.setUseParentHandlers(true);
        logger.removeHandler(this);
    }
}
