package org.readpast.clients.servers.app;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The database that the messages are in, which has a row for each order. */
final class Shop {

    /** Who tests holds this lock of PostgreSQL's to hold a transaction. */
    private static final String WAIT = "SELECT pg_advisory_xact_lock(4711)";

    private Shop() {}

    /** Writes a row with how many messages its transaction sees in a queue: with those that it has sent, if it is theirs too. */
    static void write(DataSource shop, String item, String queue) throws SQLException {
        try (Connection sql = shop.getConnection();
                PreparedStatement insert = sql.prepareStatement("INSERT INTO shop_order (item, seen)"
                        + " SELECT ?, COUNT(*) FROM readpast.message m JOIN readpast.destination d"
                        + " ON d.destination_id = m.destination_id WHERE d.name = ?")) {
            insert.setString(1, item);
            insert.setString(2, queue);
            insert.executeUpdate();
        }
    }

    /** Waits in the transaction for as long as the tests want it to. */
    static void hold(DataSource shop) throws SQLException {
        try (Connection sql = shop.getConnection();
                PreparedStatement wait = sql.prepareStatement(WAIT)) {
            wait.execute();
        }
    }
}
