package org.readpast.clients.servers;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.parallel.ResourceLock;

/** TomEE. */
@ResourceLock("TomEE")
class TomEETest extends RedeploymentContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return TomEE.start(Edition.JAKARTA, jdbcUrl, user);
    }

    /** TomEE reads no definitions of connection factories in a descriptor. */
    @Override
    List<String> definitions() {
        return List.of("Annotated");
    }

    @Override
    int timeoutSeconds() {
        return TomEE.TIMEOUT_SECONDS;
    }

    /** What it makes of a definition has neither a DataSource of its own nor local transactions. */
    @Override
    String factory(String name) {
        return "java:openejb/Resource/jms/" + name;
    }
}
