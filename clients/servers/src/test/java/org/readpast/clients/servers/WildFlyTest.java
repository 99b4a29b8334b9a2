package org.readpast.clients.servers;

import java.io.IOException;

/** WildFly. */
class WildFlyTest extends ServerContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return WildFly.start(Edition.JAKARTA, jdbcUrl, user);
    }
}
