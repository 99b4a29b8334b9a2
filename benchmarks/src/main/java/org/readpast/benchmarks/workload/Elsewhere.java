package org.readpast.benchmarks.workload;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.readpast.benchmarks.machine.ChildJvm;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.Place;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.system.SystemUnderTest;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** A JVM with clients of one system: kind, address, role, queue, count. */
final class Elsewhere {

    static final int SMALL_HEAP_MEGABYTES = 64;

    /** Messages sent in each second where it is measured how long they take. */
    static final int PACE = 50;

    /** In how many queues idle consumers wait. */
    private static final int IDLE_QUEUES = 100;

    private Elsewhere() {}

    /** What it does. */
    enum Role {
        /** Whenever it is told two numbers, sends so many messages at a pace of so many a second; each text begins with when it was sent. */
        PACEMAKER,

        /** The same to one who is not told, and has to look. */
        SILENT_PACEMAKER,

        /** Answers requests. */
        RESPONDER,

        /** Opens so many consumers that get nothing. */
        IDLER,

        /** Told to browse, does so and says how many there were; told anything else, takes the message of that correlation id. */
        READER;

        /** For its JVM. */
        List<String> options() {
            return List.of(this == READER ? "-Xmx" + SMALL_HEAP_MEGABYTES + "m" : "-Xmx512m");
        }
    }

    public static void main(String[] arguments) throws Exception {
        String queue = arguments[3];
        int count = Integer.parseInt(arguments[4]);
        try (SystemUnderTest system = SystemKind.valueOf(arguments[0]).connect(arguments[1])) {
            switch (Role.valueOf(arguments[2])) {
                case PACEMAKER -> keepPace(system, queue, SendMode.TO_ANOTHER_JVM);
                case SILENT_PACEMAKER -> keepPace(system, queue, SendMode.ONE_BY_ONE);
                case RESPONDER -> respond(system, queue);
                case IDLER -> idle(system, queue, count);
                case READER -> read(system, queue);
            }
        }
        System.exit(0);
    }

    private static void keepPace(SystemUnderTest system, String queue, SendMode mode) throws Exception {
        String filling = " " + Payload.text(Latency.TEXT_LENGTH).text();
        try (Sender sender = system.sender(queue, mode)) {
            ChildJvm.say("ready");
            for (var told = ChildJvm.hear(); told.isPresent(); told = ChildJvm.hear()) {
                long due = System.nanoTime();
                String[] countAndPace = told.get().split(" ", -1);
                long pause = TimeUnit.SECONDS.toNanos(1) / Integer.parseInt(countAndPace[1]);
                for (int left = Integer.parseInt(countAndPace[0]); left > 0; left--) {
                    for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                        LockSupport.parkNanos(wait);
                    }
                    sender.send(Payload.text(System.nanoTime() + filling));
                    due += pause;
                }
            }
        }
    }

    private static void respond(SystemUnderTest system, String queue) throws Exception {
        AutoCloseable responder = system.responder(queue, Place.OTHER_JVM);
        awaitEnd();
        responder.close();
    }

    private static void idle(SystemUnderTest system, String queue, int count) throws Exception {
        Intake nothing = new Intake(1);
        for (int i = 0; i < count; i++) {
            Receiver receiver = system.receiver(queue + "-" + i % IDLE_QUEUES, ReceiveMode.LISTENER);
            Thread thread = new Thread(() -> receive(receiver, nothing), "idle-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        awaitEnd();
    }

    private static void read(SystemUnderTest system, String queue) throws Exception {
        ChildJvm.say("ready");
        for (var told = ChildJvm.hear(); told.isPresent(); told = ChildJvm.hear()) {
            if (told.get().equals("browse")) {
                ChildJvm.say(String.valueOf(system.browse(queue)));
            } else {
                system.takeBySuffix(queue, told.get());
                ChildJvm.say("taken");
            }
        }
    }

    private static void receive(Receiver receiver, Intake intake) {
        try {
            receiver.receive(intake);
        } catch (Exception e) {
            throw new IllegalStateException("An idle consumer failed", e);
        }
    }

    private static void awaitEnd() throws Exception {
        ChildJvm.say("ready");
        while (ChildJvm.hear().isPresent()) {
            // It has nothing to be told.
        }
    }
}
