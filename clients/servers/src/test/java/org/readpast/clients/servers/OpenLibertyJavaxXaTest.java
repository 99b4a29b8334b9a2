package org.readpast.clients.servers;

import java.io.IOException;

/** XA in Open Liberty with Java EE 8. */
class OpenLibertyJavaxXaTest extends OpenLibertyXaTest {

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed) throws IOException {
        return OpenLiberty.startWithXa(Edition.JAVAX, first, jdbcUrl, user, deployed);
    }
}
