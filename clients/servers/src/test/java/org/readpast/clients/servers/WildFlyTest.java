package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.readpast.clients.servers.app.Orders;

/** WildFly. */
class WildFlyTest extends ServerContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return WildFly.start(Edition.JAKARTA, jdbcUrl, user);
    }

    /** One or two stay for a while with idle threads of the server's, which have their last request on the stack until the next one. */
    @Test
    void class_loaders_of_ten_deployments_do_not_stay() throws Exception {
        for (int i = 0; i < 10; i++) {
            server().deployAgain();
            server().order("once more " + i, "");
            assertThat(receive("shipped", "once more " + i, PATIENCE)).isNotNull();
        }
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> server().classLoadersWith(Orders.class) <= 3);
    }
}
