package org.readpast.clients.servers;

import java.io.IOException;

/** Open Liberty with an application of Java EE 8. */
class OpenLibertyJavaxTest extends ServerContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return OpenLiberty.start(Edition.JAVAX, jdbcUrl, user);
    }
}
