package org.readpast.jms.tck.failure;

import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.H2File;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/** A database that does not answer any more, and another one of the same JVM. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentDatabaseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path files;

    static TestDatabase[] servers() {
        return TestDatabase.servers().toArray(TestDatabase[]::new);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void database_is_left_while_another_one_is_silent(TestDatabase server) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.port())) {
            JMSContext silent = connect(server.urlThrough(proxy.port()));
            proxy.stall();
            silent.close();

            H2File other = new H2File(files.resolve("other"));
            connect(other.jdbcUrl()).close();

            await().atMost(PATIENCE).until(() -> !other.isOpen());
            proxy.cut();
        }
    }

    private static JMSContext connect(String jdbcUrl) {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(jdbcUrl, "idleCloseMillis=0")).createContext();
    }
}
