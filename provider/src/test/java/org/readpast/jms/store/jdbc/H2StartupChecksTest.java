package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.store.jdbc.upkeep.StartupWarning;

/** Start-up checks on H2. */
class H2StartupChecksTest extends StartupChecksContract {

    H2StartupChecksTest() {
        super(TestDatabase.H2);
    }

    @Test
    void database_in_memory_is_no_reason_to_warn() throws Exception {
        assertThat(store.warnings()).isEmpty();
    }

    @Test
    void delayed_writes_to_a_file_are_told(@TempDir Path folder) {
        String url = "jdbc:h2:" + folder.resolve("shop").toAbsolutePath();

        assertThat(warnings(url + ";WRITE_DELAY=0", NEVER)).isEmpty();
        assertThat(warnings(url + ";WRITE_DELAY=300", NEVER))
                .containsExactly(StartupWarning.DELAYED_WRITES.warning("300 ms"));
    }
}
