package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** XA in Payara Server 6. */
@ResourceLock("Payara 6")
class PayaraXaTest extends XaRecoveryContract {

    @Override
    Names names() {
        return Payara.NAMES;
    }

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed)
            throws IOException, InterruptedException {
        return Payara.startWithXa(Edition.JAKARTA, first, jdbcUrl, user, deployed);
    }
}
