package org.readpast.clients.servers;

import java.io.IOException;

/** WildFly 26, with an application of Java EE 8. */
class WildFlyJavaxTest extends ServerContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return WildFly.start(Edition.JAVAX, jdbcUrl, user);
    }
}
