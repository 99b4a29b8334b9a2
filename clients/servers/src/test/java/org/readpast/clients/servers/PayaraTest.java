package org.readpast.clients.servers;

import java.io.IOException;

/** Payara Server. */
class PayaraTest extends ServerContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return Payara.start(Edition.JAKARTA, jdbcUrl, user);
    }
}
