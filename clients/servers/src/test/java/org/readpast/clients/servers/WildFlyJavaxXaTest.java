package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** XA in WildFly 26. */
@ResourceLock("WildFly 26")
class WildFlyJavaxXaTest extends XaRecoveryContract {

    @Override
    Names names() {
        return WildFly.NAMES;
    }

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed)
            throws IOException, InterruptedException {
        return WildFly.startWithXa(Edition.JAVAX, first, jdbcUrl, user, deployed);
    }
}
