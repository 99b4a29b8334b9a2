package org.readpast.clients.servers.web;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The rows of the application, which are in the database of the messages. */
final class Shop {

    /** Who tests holds this lock of PostgreSQL's to hold a transaction. */
    private static final String WAIT = "SELECT pg_advisory_xact_lock(4711)";

    private Shop() {}

    /** Writes a row for an order that is carried out, and fails with some orders afterwards. */
    static void ship(Connection sql, String order, int delivery) throws SQLException {
        write(sql, order);
        if (order.contains("held")) {
            try (PreparedStatement wait = sql.prepareStatement(WAIT)) {
                wait.execute();
            }
        }
        if (order.startsWith("later") && delivery == 1) {
            throw new IllegalArgumentException("nothing is left today: " + order);
        }
        if (order.startsWith("poison")) {
            throw new IllegalArgumentException("no such article: " + order);
        }
    }

    /** Writes a row with how many messages its transaction has sent or claimed: PostgreSQL notes that with the rows of both. */
    static void write(Connection sql, String item) throws SQLException {
        try (PreparedStatement insert = sql.prepareStatement("INSERT INTO shop_order (item, seen)"
                + " SELECT ?, COUNT(*) FROM readpast.message WHERE pg_current_xact_id()::xid IN (xmin, xmax)")) {
            insert.setString(1, item);
            insert.executeUpdate();
        }
    }
}
