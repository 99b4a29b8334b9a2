package org.readpast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.system.SystemUnderTest;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;
import org.readpast.benchmarks.workload.Contestant;

/** What all systems count as received: it must be the same. A broker that is starved for long stops itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("alone")
class ReceiverTest {

    private static final int WAITING = 350;
    private static final int ENOUGH = 130;

    private static final List<SystemKind> SYSTEMS = List.of(SystemKind.values());

    private Field field;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        field = Field.start(SYSTEMS, data);
    }

    @AfterAll
    void stop() {
        field.close();
    }

    static Stream<Arguments> systemsAndModes() {
        return SYSTEMS.stream()
                .flatMap(kind -> Stream.of(ReceiveMode.values())
                        // The others are listeners too, and differ in how they wait.
                        .filter(mode -> mode != ReceiveMode.BY_POLLING && mode != ReceiveMode.FROM_ANOTHER_JVM)
                        .map(mode -> Arguments.of(kind, mode)));
    }

    @ParameterizedTest
    @MethodSource("systemsAndModes")
    void when_it_returns_what_it_took_is_gone_and_the_rest_is_there(SystemKind kind, ReceiveMode mode)
            throws Exception {
        SystemUnderTest system = system(kind);
        String queue = "received-" + mode;
        send(system, queue);
        Intake intake = new Intake(ENOUGH);

        try (Receiver receiver = system.receiver(queue, mode)) {
            receiver.receive(intake);

            // Listeners may take all before they are stopped, where the machine is busy.
            assertThat(intake.count()).isBetween((long) ENOUGH, (long) WAITING);
            assertThat(system.browse(queue)).isEqualTo(WAITING - intake.count());
        }
    }

    @ParameterizedTest
    @FieldSource("SYSTEMS")
    void before_it_is_to_receive_nothing_is_sent_ahead_to_it(SystemKind kind) throws Exception {
        SystemUnderTest system = system(kind);
        String queue = "ahead";
        send(system, queue);

        Receiver idle = system.receiver(queue, ReceiveMode.LAZILY);
        try (Receiver busy = system.receiver(queue, ReceiveMode.LAZILY)) {
            Intake all = new Intake(WAITING);
            busy.receive(all);

            assertThat(all.count()).isEqualTo(WAITING);
        } finally {
            idle.close();
        }
    }

    private SystemUnderTest system(SystemKind kind) {
        return field.contestants().stream()
                .filter(contestant -> contestant.kind() == kind)
                .map(Contestant::system)
                .findFirst()
                .orElseThrow();
    }

    private static void send(SystemUnderTest system, String queue) throws Exception {
        try (Sender sender = system.sender(queue, SendMode.TRANSACTED)) {
            for (int i = 0; i < WAITING; i++) {
                sender.send(Payload.text(1000));
            }
            sender.flush();
        }
    }
}
