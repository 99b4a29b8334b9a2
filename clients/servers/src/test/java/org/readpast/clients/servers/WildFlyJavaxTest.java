package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** WildFly 26, with an application of Java EE 8. */
@ResourceLock("WildFly 26")
class WildFlyJavaxTest extends ReleaseContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return WildFly.start(Edition.JAVAX, jdbcUrl, user);
    }

    @Override
    int timeoutSeconds() {
        return WildFly.TIMEOUT_SECONDS;
    }
}
