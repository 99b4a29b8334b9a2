package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** WildFly. */
@ResourceLock("WildFly 39")
class WildFlyTest extends ReleaseContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return WildFly.start(Edition.JAKARTA, jdbcUrl, user);
    }

    @Test
    void suspended_server_delivers_nothing_until_it_is_resumed() throws Exception {
        WildFly wildFly = (WildFly) server;
        wildFly.command(":suspend");
        send("orders", "while suspended");
        assertThat(receive("shipped", "while suspended", 1000)).isNull();
        wildFly.command(":resume");
        Message shipped = receive("shipped", "while suspended", PATIENCE);
        assertThat(shipped.getIntProperty("delivery")).isOne();
        assertThat(rows("while suspended")).isOne();
    }

    @Override
    int timeoutSeconds() {
        return WildFly.TIMEOUT_SECONDS;
    }
}
