package org.readpast.clients.servers;

import java.io.IOException;

/** Payara Server 5, with an application of Java EE 8. */
class PayaraJavaxTest extends ServerContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return Payara.start(Edition.JAVAX, jdbcUrl, user);
    }
}
