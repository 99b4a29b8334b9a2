package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Payara Server. */
@ResourceLock("Payara 6")
class PayaraTest extends ReleaseContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return server == null ? Payara.start(Edition.JAKARTA, jdbcUrl, user) : Payara.startAgain(Edition.JAKARTA);
    }
}
