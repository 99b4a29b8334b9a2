package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Warnings;

/** What an administrator reads in the log when a client starts on a database that is not as it should be. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartupWarningTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Warnings said = new Warnings();

    @AfterEach
    void stopListening() {
        said.close();
    }

    @Test
    void careless_setting_is_told_once_for_all_connections_of_a_pool() throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                PostgresServer.urlThrough(SharedPostgres.get().port()) + "&options=-c%20synchronous_commit=off",
                "idleCloseMillis=0"));
        try (Connection first = factory.createConnection();
                Connection second = factory.createConnection()) {
            assertThat(first.getMetaData()).isNotNull();
            assertThat(second.getMetaData()).isNotNull();
            await().atMost(PATIENCE)
                    .until(() -> !said.with("synchronous_commit").isEmpty());
        }
        assertThat(said.with("synchronous_commit"))
                .singleElement()
                .asString()
                .startsWith("PostgreSQL schema readpast: ")
                .contains("Switch it on");
    }

    @Test
    void delayed_writes_of_a_file_are_told(@TempDir Path folder) throws Exception {
        String url = "jdbc:h2:" + folder.resolve("shop").toAbsolutePath() + ";USER=sa;PASSWORD=sa;WRITE_DELAY=500";
        try (Connection connection = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(url, "idleCloseMillis=0"))
                .createConnection()) {
            assertThat(connection.getMetaData()).isNotNull();
            await().atMost(PATIENCE).until(() -> !said.with("WRITE_DELAY").isEmpty());
        }
        assertThat(said.with("WRITE_DELAY")).singleElement().asString().contains("500 ms");
    }
}
