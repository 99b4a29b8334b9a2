package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What clients were told of their sends and receives: done, not done, or not known. What is told as done must be so exactly once,
 * what is told as not done must not be so; only what is told as not known may be either. Thread-safe.
 */
final class FailoverLedger {

    private final Set<String> sent = ConcurrentHashMap.newKeySet();
    private final Set<String> doubtfullySent = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> consumed = new ConcurrentHashMap<>();
    private final Set<String> doubtfullyConsumed = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();

    void sent(List<String> messages) {
        sent.addAll(messages);
    }

    void doubtfullySent(List<String> messages) {
        doubtfullySent.addAll(messages);
    }

    void consumed(List<String> messages) {
        messages.forEach(message ->
                consumed.computeIfAbsent(message, any -> new AtomicInteger()).incrementAndGet());
    }

    void doubtfullyConsumed(List<String> messages) {
        doubtfullyConsumed.addAll(messages);
    }

    void failed() {
        failures.incrementAndGet();
    }

    int countSent() {
        return sent.size();
    }

    int countFailures() {
        return failures.get();
    }

    int countDoubts() {
        return doubtfullySent.size() + doubtfullyConsumed.size();
    }

    /** Whether all that was surely sent was consumed, perhaps doubtfully. */
    boolean isDrained() {
        return sent.stream().allMatch(message -> consumed.containsKey(message) || doubtfullyConsumed.contains(message));
    }

    /** @param exactly whether no message may have been consumed twice */
    void assertBalanced(boolean exactly) {
        List<String> lost = new ArrayList<>(sent);
        lost.removeAll(consumed.keySet());
        lost.removeAll(doubtfullyConsumed);
        assertThat(lost).as("sent and not consumed").isEmpty();
        List<String> strange = new ArrayList<>(consumed.keySet());
        strange.removeAll(sent);
        strange.removeAll(doubtfullySent);
        assertThat(strange).as("consumed although its send had failed").isEmpty();
        if (exactly) {
            assertThat(consumed.entrySet().stream()
                            .filter(entry -> entry.getValue().get() > 1)
                            .map(Map.Entry::getKey))
                    .as("consumed more than once")
                    .isEmpty();
        }
    }

    @Override
    public String toString() {
        return sent.size() + " sent, " + consumed.size() + " consumed, " + failures + " calls failed, in doubt: "
                + doubtfullySent.size() + " sent, " + doubtfullyConsumed.size() + " consumed";
    }
}
