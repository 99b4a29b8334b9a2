package org.readpast.jms.tck.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.readpast.jms.tck.rig.ChildJvm;

/** Four sending and four receiving JVMs, one of which is killed without warning every second or two and replaced, if the others are at work. */
final class LedgerProcesses implements AutoCloseable {

    private static final int EACH = 4;
    private static final long BACKLOG_MOST = 1_000;
    private static final long BACKLOG_AGAIN = 250;

    private final String url;
    private final String name;
    private final LedgerSender.Manner sending;
    private final Random random = new Random(7);
    private final ChildJvm[] senders = new ChildJvm[EACH];
    private final ChildJvm[] receivers = new ChildJvm[EACH];
    private final List<ChildJvm> all = new ArrayList<>();
    private boolean paused;
    private int kills;
    private long nextKill;

    /**
     * @param url of the connection factories
     * @param name of the queue, and of the ledger
     * @param sending how {@link LedgerSender} goes about it
     */
    LedgerProcesses(String url, String name, LedgerSender.Manner sending) {
        this.url = url;
        this.name = name;
        this.sending = sending;
    }

    void start() {
        IntStream.range(0, EACH).forEach(this::startSender);
        IntStream.range(0, EACH).forEach(this::startReceiver);
        for (ChildJvm child : List.copyOf(all)) {
            child.awaitReport("ready");
        }
        nextKill = System.nanoTime();
    }

    /** How many were killed. */
    int kills() {
        return kills;
    }

    /** Looks after them: to be called several times a second. */
    void tend(long backlog) {
        assertNoProblem(all);
        holdBacklog(backlog);
        killWhenItIsTime();
    }

    /** On a busy machine a JVM takes longer to start than the next one to be killed: soon nobody would be left who is at work. */
    private void killWhenItIsTime() {
        if (System.nanoTime() >= nextKill && countStarting() <= 1) {
            killOne();
            nextKill = System.nanoTime()
                    + Duration.ofMillis(1_000 + random.nextInt(1_000)).toNanos();
        }
    }

    /** Senders are quicker than receivers: what piles up would only have to be drained at the end. */
    private void holdBacklog(long backlog) {
        if (paused ? backlog < BACKLOG_AGAIN : backlog > BACKLOG_MOST) {
            paused = !paused;
            for (ChildJvm sender : senders) {
                sender.tell(paused ? "pause" : "not pause");
            }
        }
    }

    private long countStarting() {
        return Stream.of(senders, receivers)
                .flatMap(Stream::of)
                .filter(child -> !child.reports().contains("ready"))
                .count();
    }

    private void killOne() {
        int victim = random.nextInt(2 * EACH);
        if (victim < EACH) {
            senders[victim].kill();
            startSender(victim);
        } else {
            receivers[victim - EACH].kill();
            startReceiver(victim - EACH);
        }
        kills++;
    }

    private void startSender(int place) {
        // Half of them hold next to nothing back until the commit.
        String options = place % 2 == 0 ? "&outboxBytes=100" : "";
        senders[place] = ChildJvm.start(
                LedgerSender.class,
                ChildJvm.SMALL,
                url + options,
                name,
                name,
                "s" + place + "-" + all.size(),
                sending.name());
        all.add(senders[place]);
        if (paused) {
            senders[place].tell("pause");
        }
    }

    private void startReceiver(int place) {
        receivers[place] = ChildJvm.start(
                LedgerReceiver.class,
                ChildJvm.SMALL,
                url,
                name,
                name,
                "r" + place + "-" + all.size(),
                place == 0 ? "listening" : "receiving");
        all.add(receivers[place]);
    }

    void stopSenders() {
        stop(senders);
    }

    void stopReceivers() {
        stop(receivers);
    }

    private void stop(ChildJvm[] children) {
        for (ChildJvm child : children) {
            child.tell("stop");
        }
        for (ChildJvm child : children) {
            assertThat(child.awaitEnd())
                    .as(() -> child + " wrote " + child.output())
                    .isZero();
        }
        assertNoProblem(all);
    }

    /** None of them has reported one. */
    static void assertNoProblem(Iterable<ChildJvm> children) {
        for (ChildJvm child : children) {
            assertThat(child.reports())
                    .as(() -> child + " wrote " + child.output())
                    .noneMatch(line -> line.startsWith("problem"));
        }
    }

    @Override
    public void close() {
        all.forEach(ChildJvm::close);
    }
}
