package org.readpast.jms.store.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessNameTest {

    private static final String PROCESS = ProcessHandle.current().pid() + "@";

    @Test
    void name_has_client_id_process_and_host() {
        assertThat(ProcessName.application(null)).startsWith("readpast " + PROCESS);
        assertThat(ProcessName.application("orders")).startsWith("readpast orders " + PROCESS);
    }

    @Test
    void long_client_id_gives_way_to_the_process_and_the_host() {
        String alone = ProcessName.application(null);
        String name = ProcessName.application("c".repeat(255));

        assertThat(name).hasSize(63).startsWith("readpast c").endsWith(" " + alone.substring("readpast ".length()));
    }

    @Test
    void name_is_printable_ascii() {
        assertThat(ProcessName.application("Zoë\n\uD83D\uDE00")).startsWith("readpast Zo??? " + PROCESS);
    }
}
