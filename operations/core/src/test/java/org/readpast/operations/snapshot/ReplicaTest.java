package org.readpast.operations.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;

/** A look at a hot standby, whose own sessions and locks say nothing of who works on the messages. */
class ReplicaTest {

    @TempDir
    Path folder;

    private EmbeddedPostgres server() throws IOException {
        return EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .start();
    }

    /** Until nothing of it was given up, as on a busy machine. */
    private static Snapshot look(EmbeddedPostgres server) {
        return await().atMost(Duration.ofSeconds(60))
                .until(() -> lookOnce(server), seen -> !seen.toString().contains(Look.GIVEN_UP));
    }

    private static Snapshot lookOnce(EmbeddedPostgres server) throws Exception {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Look look = new Look(connection, "readpast")) {
            return Snapshot.take(look);
        }
    }

    private static List<Answer<?>> ofThePrimary(Snapshot seen) {
        return List.of(seen.locks(), seen.sessions(), seen.deadRows(), seen.pins());
    }

    @Test
    void who_works_on_messages_is_not_known_on_a_standby() throws Exception {
        try (EmbeddedPostgres primary = server()) {
            ReadpastConnectionFactory factory =
                    new ReadpastConnectionFactory(primary.getJdbcUrl("postgres", "postgres"));
            factory.setProperty("createSchema", "true");
            factory.setProperty("idleCloseMillis", "0");
            try (JMSContext context = factory.createContext()) {
                context.createProducer().send(context.createQueue("orders"), "one");
            }
            assertThat(ofThePrimary(look(primary))).allMatch(Answer::isKnown);
        }
        // Started again with this it takes no writes, and waits for more of the log.
        Files.createFile(folder.resolve("data").resolve("standby.signal"));
        try (EmbeddedPostgres standby = server()) {
            Snapshot seen = look(standby);
            assertThat(seen.queues().rows()).extracting(Queue::depth).contains(1L);
            assertThat(ofThePrimary(seen))
                    .allSatisfy(answer -> assertThat(answer)
                            .isInstanceOfSatisfying(
                                    Answer.Unknown.class,
                                    unknown -> assertThat(unknown.why()).startsWith("this is a replica")));
        }
    }
}
