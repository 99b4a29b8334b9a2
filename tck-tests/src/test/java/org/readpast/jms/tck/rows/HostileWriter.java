package org.readpast.jms.tck.rows;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Random;
import org.readpast.jms.tck.rig.TestDatabase;

/** Puts rows into a queue in which anything may stand that the columns can hold. */
final class HostileWriter implements AutoCloseable {

    private static final List<String> DESTINATIONS =
            List.of("queue://", "", "queue://DLQ", "topic://t", "temp-queue://gone", "nonsense", "queue://a,b", "://");

    private static final List<String> TEXTS =
            List.of("", " ", "x", "ID:x", "a\nb", "\ufffd", "'; --", "\u202e", "x".repeat(255));

    /** JSON, since a column of PostgreSQL's holds nothing else. */
    private static final List<String> PROPERTIES = List.of(
            "{}",
            "{\"n\":1}",
            "{\"n\":\"1\",\"n\":[]}",
            "[]",
            "1",
            "123456",
            "null",
            "\"\"",
            "{\"@types\":{\"n\":\"bytes\"},\"n\":\"*\"}",
            "{\"JMSCorrelationID\":{},\"JMSReplyTo\":\"x\",\"JMSGroupID\":1}",
            "{\"n\":" + "[".repeat(101) + "]".repeat(101) + "}",
            "{\"n\":\"" + "y".repeat(9_000) + "\"}",
            "[\"" + "y".repeat(9_000) + "\"]");

    private static final List<Integer> COUNTS =
            List.of(-1, -3, Integer.MIN_VALUE, Integer.MAX_VALUE - 1, Integer.MAX_VALUE);

    private final Random random;
    private final boolean grouped;
    private final Connection connection;
    private final PreparedStatement insert;
    private final int destinationId;

    /**
     * @param grouped whether rows may be of a message group
     */
    HostileWriter(TestDatabase database, String schema, String queue, long seed, boolean grouped) throws SQLException {
        this.random = new Random(seed);
        this.grouped = grouped;
        this.connection = database.connect();
        this.destinationId = destinationId(schema, queue);
        String json = database == TestDatabase.POSTGRESQL ? "CAST(? AS json)" : "?";
        this.insert = connection.prepareStatement("INSERT INTO " + schema + ".message (destination_id, priority_order,"
                + " jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,"
                + " jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id,"
                + " origin_id, delivery_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + json
                + ", ?, ?, ?, ?, ?, ?, ?)");
    }

    private int destinationId(String schema, String queue) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(
                "SELECT destination_id FROM " + schema + ".destination WHERE kind = 'Q' AND name = ?")) {
            find.setString(1, queue);
            try (ResultSet row = find.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** Writes one row. */
    void write() throws SQLException {
        byte[] body = body();
        insert.setInt(1, destinationId);
        insert.setInt(2, often() ? random.nextInt(10) : random.nextInt(1 << 16) - (1 << 15));
        insert.setString(3, text());
        insert.setString(4, one(DESTINATIONS));
        insert.setString(5, often() ? null : one(DESTINATIONS));
        insert.setString(6, text());
        insert.setString(7, text());
        insert.setInt(8, often() ? 1 + random.nextInt(2) : random.nextInt(1 << 16) - (1 << 15));
        insert.setLong(9, random.nextLong());
        insert.setLong(10, random.nextLong());
        insert.setLong(11, random.nextLong());
        insert.setString(12, !often() && grouped ? one(TEXTS) : null);
        insert.setString(13, random.nextBoolean() ? null : one(PROPERTIES));
        insert.setInt(14, random.nextInt(9) - 1);
        insert.setInt(15, random.nextInt(6) - 1);
        insert.setLong(16, often() ? (body == null ? 0 : body.length) : random.nextLong());
        insert.setBytes(17, body);
        insert.setObject(18, often() ? null : random.nextLong(), Types.BIGINT);
        insert.setObject(19, often() ? null : random.nextInt(), Types.INTEGER);
        insert.setInt(20, often() ? random.nextInt(3) : random.nextBoolean() ? random.nextInt() : one(COUNTS));
        insert.executeUpdate();
    }

    private byte[] body() {
        if (random.nextInt(4) == 0) {
            return null;
        }
        byte[] bytes = new byte[random.nextInt(20) == 0 ? 300_000 : random.nextInt(40)];
        random.nextBytes(bytes);
        return often() ? "[\"sound\"]".getBytes(StandardCharsets.UTF_8) : bytes;
    }

    private boolean often() {
        return random.nextInt(4) != 0;
    }

    private String text() {
        return random.nextBoolean() ? null : one(TEXTS);
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
