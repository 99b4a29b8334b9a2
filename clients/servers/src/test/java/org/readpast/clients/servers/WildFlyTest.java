package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** WildFly. */
class WildFlyTest extends JakartaServerContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return WildFly.start(Edition.JAKARTA, jdbcUrl, user);
    }

    @Test
    void class_loaders_of_ten_deployments_do_not_stay() throws Exception {
        classLoadersDoNotStay();
    }
}
