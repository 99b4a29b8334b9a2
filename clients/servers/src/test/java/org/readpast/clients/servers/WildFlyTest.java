package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** WildFly. */
@ResourceLock("WildFly 39")
class WildFlyTest extends ReleaseContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return WildFly.start(Edition.JAKARTA, jdbcUrl, user);
    }

    @Override
    int timeoutSeconds() {
        return WildFly.TIMEOUT_SECONDS;
    }
}
