package org.readpast.clients.servers.app;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** A second database, which has an entry for what was done in the first one. */
final class Ledger {

    private Ledger() {}

    /** @param name of its DataSource in JNDI */
    static void enter(String name, String item) throws NamingException, SQLException {
        DataSource ledger = (DataSource) new InitialContext().lookup(name);
        try (Connection sql = ledger.getConnection();
                PreparedStatement insert = sql.prepareStatement("INSERT INTO entry (item) VALUES (?)")) {
            insert.setString(1, item);
            insert.executeUpdate();
        }
    }
}
