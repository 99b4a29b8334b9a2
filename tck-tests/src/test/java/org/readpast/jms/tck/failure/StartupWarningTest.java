package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.jms.Connection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;
import org.slf4j.LoggerFactory;

/** What an administrator reads in the log when a client starts on a database that is not as it should be. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartupWarningTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Logger root = (Logger) LoggerFactory.getLogger("org.readpast");
    private final Level levelBefore = root.getLevel();
    private final Said said = new Said();

    /** Keeps what is logged, from whichever thread. */
    private static final class Said extends ListAppender<ILoggingEvent> {

        @Override
        protected synchronized void append(ILoggingEvent event) {
            super.append(event);
        }

        synchronized List<String> warnings(String word) {
            return list.stream()
                    .filter(event -> event.getLevel() == Level.WARN)
                    .map(ILoggingEvent::getFormattedMessage)
                    .filter(message -> message.contains(word))
                    .toList();
        }
    }

    @BeforeEach
    void listen() {
        said.start();
        root.addAppender(said);
        root.setAdditive(false);
        root.setLevel(Level.WARN);
    }

    @AfterEach
    void stopListening() {
        root.setLevel(levelBefore);
        root.setAdditive(true);
        root.detachAppender(said);
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
                    .until(() -> !said.warnings("synchronous_commit").isEmpty());
        }
        assertThat(said.warnings("synchronous_commit"))
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
            await().atMost(PATIENCE).until(() -> !said.warnings("WRITE_DELAY").isEmpty());
        }
        assertThat(said.warnings("WRITE_DELAY")).singleElement().asString().contains("500 ms");
    }
}
