package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Open Liberty with an application of Java EE 8. */
@ResourceLock("Open Liberty")
class OpenLibertyJavaxTest extends ReleaseContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return OpenLiberty.start(Edition.JAVAX, jdbcUrl, user);
    }
}
