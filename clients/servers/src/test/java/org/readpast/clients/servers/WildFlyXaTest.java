package org.readpast.clients.servers;

import java.io.IOException;

/** XA in WildFly. */
class WildFlyXaTest extends XaContract {

    @Override
    Names names() {
        return new Names("java:/jms/XAConnectionFactory", "java:/jdbc/Ledger", "java:/TransactionManager");
    }

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed)
            throws IOException, InterruptedException {
        return WildFly.startWithXa(first, jdbcUrl, user, deployed);
    }
}
