package org.readpast.clients.servers;

import java.io.IOException;

/** Tomcat 9, with Java EE 8. */
class TomcatJavaxTest extends TomcatTest {

    @Override
    Server start(String jdbcUrl, String user) throws IOException {
        return Tomcat.start(Edition.JAVAX, jdbcUrl, user);
    }
}
