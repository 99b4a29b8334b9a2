package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** XA in TomEE. */
@ResourceLock("TomEE")
class TomEEXaTest extends XaContract {

    @Override
    Names names() {
        return TomEE.NAMES;
    }

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed) throws IOException {
        return TomEE.startWithXa(Edition.JAKARTA, first, jdbcUrl, user, deployed);
    }
}
