package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** XA in Payara Micro 6. */
@ResourceLock("Payara Micro")
class PayaraMicroXaTest extends XaRecoveryContract {

    @Override
    Names names() {
        return Payara.NAMES;
    }

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed)
            throws IOException, InterruptedException {
        return PayaraMicro.startWithXa(first, jdbcUrl, user, deployed);
    }

    /** It is started with its application. */
    @Override
    void deploy() throws IOException, InterruptedException {
        server.close();
        server = start(false, true);
    }
}
