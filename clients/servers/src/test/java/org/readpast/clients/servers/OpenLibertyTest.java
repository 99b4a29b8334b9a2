package org.readpast.clients.servers;

import java.io.IOException;

/** Open Liberty. */
class OpenLibertyTest extends ServerContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return OpenLiberty.start(Edition.JAKARTA, jdbcUrl, user);
    }
}
