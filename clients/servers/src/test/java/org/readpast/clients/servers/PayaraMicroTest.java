package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Payara Micro 6. */
@ResourceLock("Payara Micro")
class PayaraMicroTest extends ApplicationContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException {
        return PayaraMicro.start(jdbcUrl, user);
    }
}
