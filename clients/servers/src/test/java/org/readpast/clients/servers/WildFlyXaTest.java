package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** XA in WildFly 39. */
@ResourceLock("WildFly 39")
class WildFlyXaTest extends XaRecoveryContract {

    @Override
    Names names() {
        return WildFly.NAMES;
    }

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed)
            throws IOException, InterruptedException {
        return WildFly.startWithXa(Edition.JAKARTA, first, jdbcUrl, user, deployed);
    }
}
