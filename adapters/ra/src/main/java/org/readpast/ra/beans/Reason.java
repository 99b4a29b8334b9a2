package org.readpast.ra.beans;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What is written on a dead letter of its last delivery. */
final class Reason {

    private static final int LENGTH = 300;

    /** As far as causes are followed, which may go round in a circle. */
    static final int DEPTH = 50;

    private static final String NODE = node();

    private Reason() {}

    /** @param problem null where the container has told of none */
    static String of(Throwable problem) {
        if (problem == null) {
            return "rolled back by the container, no exception passed on, " + NODE;
        }
        String text = text(problem);
        return (text.length() > LENGTH ? text.substring(0, LENGTH) : text) + ", " + NODE;
    }

    /** The class is the application's, and may be of no help. */
    private static String text(Throwable problem) {
        try {
            Throwable root = problem;
            for (int depth = 0; depth < DEPTH && root.getCause() != null; depth++) {
                root = root.getCause();
            }
            return String.valueOf(root.toString());
        } catch (RuntimeException | Error e) {
            return problem.getClass().getName();
        }
    }

    private static String node() {
        String process = "process " + ProcessHandle.current().pid();
        try {
            return process + " on " + InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return process;
        }
    }
}
