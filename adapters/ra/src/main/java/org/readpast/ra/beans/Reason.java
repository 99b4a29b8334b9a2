package org.readpast.ra.beans;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What is written on a dead letter of its last delivery. */
final class Reason {

    private static final int LENGTH = 300;
    private static final String NODE = node();

    private Reason() {}

    /** @param problem null where the container has told of none */
    static String of(Throwable problem) {
        if (problem == null) {
            return "rolled back by the container, no exception passed on, " + NODE;
        }
        Throwable root = problem;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String text = root.toString();
        return (text.length() > LENGTH ? text.substring(0, LENGTH) : text) + ", " + NODE;
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
