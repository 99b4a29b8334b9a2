package org.readpast.cli.terminal;

/** What the process returns. */
public final class ExitCode {

    /** It was done. */
    public static final int DONE = 0;
    /**
     * {@code doctor}, {@code schema check}, {@code pause}, {@code export} or {@code verify} found something, a database of several could not be
     * looked at, one does not carry a plan, or there was nothing to do it with: no message came, none was there.
     */
    public static final int FOUND = 1;
    /** The command was not understood. */
    public static final int USAGE = 2;
    /** There is no connection: wrong address or login, or the database is gone. */
    public static final int NO_CONNECTION = 3;
    /** The login has not the right. */
    public static final int NO_RIGHT = 4;
    /** There is no such queue, topic or schema. */
    public static final int NOT_THERE = 5;
    /** The question was not answered with yes. */
    static final int NOT_CONFIRMED = 6;
    /** Anything else. */
    public static final int FAILED = 7;

    private ExitCode() {}
}
