package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Payara Server 5, with an application of Java EE 8. */
@ResourceLock("Payara 5")
class PayaraJavaxTest extends ReleaseContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return server == null ? Payara.start(Edition.JAVAX, jdbcUrl, user) : Payara.startAgain(Edition.JAVAX);
    }
}
