package org.readpast.clients.servers;

import java.io.IOException;

/** XA in TomEE 8, whose applications are of Java EE 8. */
class TomEEJavaxXaTest extends TomEEXaTest {

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed) throws IOException {
        return TomEE.startWithXa(Edition.JAVAX, first, jdbcUrl, user, deployed);
    }
}
