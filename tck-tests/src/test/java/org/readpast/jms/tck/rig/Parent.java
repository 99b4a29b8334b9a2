package org.readpast.jms.tck.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** The test that started this program, as the program sees it. When it goes, the program goes too. Thread-safe. */
public final class Parent {

    static final String MARK = "> ";

    /** Guarded by this. */
    private final Set<String> told = new HashSet<>();

    private Parent() {}

    /** Begins to listen to the test. */
    public static Parent listen() {
        Parent parent = new Parent();
        Thread thread = new Thread(parent::read, "parent");
        thread.setDaemon(true);
        thread.start();
        return parent;
    }

    private void read() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (this) {
                    if (line.startsWith("not ")) {
                        told.remove(line.substring("not ".length()));
                    } else {
                        told.add(line);
                    }
                    notifyAll();
                }
            }
        } catch (IOException e) {
            System.out.println("The test that started this program cannot be heard: " + e);
        }
        Runtime.getRuntime().halt(3);
    }

    /** Whether this word holds: it was told, and not taken back since with "not ". */
    public synchronized boolean said(String word) {
        return told.contains(word);
    }

    /** Waits while one word holds and another does not. */
    public synchronized void waitWhile(String word, String unless) throws InterruptedException {
        while (said(word) && !said(unless)) {
            wait();
        }
    }

    /** Waits until a word is told. */
    public synchronized void await(String word) throws InterruptedException {
        while (!said(word)) {
            wait();
        }
    }

    /** Reports a line to the test. */
    public static void report(String line) {
        System.out.println(MARK + line);
        System.out.flush();
    }
}
