package org.readpast.clients.servers;

import java.io.IOException;
import org.junit.jupiter.api.parallel.ResourceLock;

/** XA in Open Liberty. */
@ResourceLock("Open Liberty")
class OpenLibertyXaTest extends XaRecoveryContract {

    @Override
    Names names() {
        return OpenLiberty.NAMES;
    }

    @Override
    boolean preparesInReverse() {
        return true;
    }

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed) throws IOException {
        return OpenLiberty.startWithXa(Edition.JAKARTA, first, jdbcUrl, user, deployed);
    }
}
