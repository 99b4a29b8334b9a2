package org.readpast.jms.tck.duplicates;

import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.tck.harness.Jms;

/** Notes how asynchronous sends end. Thread-safe. */
final class Completions implements CompletionListener {

    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    @Override
    public void onCompletion(Message message) {
        try {
            ends.add(Jms.text(message));
        } catch (Exception e) {
            ends.add(e.toString());
        }
    }

    @Override
    public void onException(Message message, Exception problem) {
        ends.add(problem.toString());
    }

    /** The texts of the messages that were sent, or what was wrong, in the order in which it was told. */
    List<String> await(int count) {
        List<String> all = new ArrayList<>();
        try {
            while (all.size() < count) {
                String end = ends.poll(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                if (end == null) {
                    break;
                }
                all.add(end);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return all;
    }
}
