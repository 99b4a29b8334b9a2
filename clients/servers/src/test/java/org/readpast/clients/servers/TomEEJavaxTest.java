package org.readpast.clients.servers;

import java.io.IOException;

/** TomEE 8, whose applications are of Java EE 8. */
class TomEEJavaxTest extends TomEETest {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return TomEE.start(Edition.JAVAX, jdbcUrl, user);
    }
}
