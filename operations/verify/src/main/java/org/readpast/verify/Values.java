package org.readpast.verify;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;

/** The types of the statements' parameters, as the driver sends them, and values for them that match nothing. */
final class Values {

    private static final Set<String> NUMBERS = Set.of(
            "destination_id",
            "topic_id",
            "target_id",
            "priority_order",
            "after_priority",
            "max",
            "max_inline_body",
            "expected",
            "length",
            "port",
            "schema_version",
            "from",
            "deliveries",
            "delivered",
            "held_millis",
            "body_kind",
            "body_format",
            "delivery_mode",
            "lowest_order",
            "highest_order",
            "durable",
            "shared",
            "keep_properties",
            "origin_id",
            "pool_open",
            "pool_in_use",
            "pool_waiting",
            "waiting_seconds",
            "listening_seconds",
            "open_consumers",
            "stopped_consumers",
            "selective_consumers",
            "by_lease");
    private static final Set<String> LONG_NUMBERS = Set.of(
            "message_id",
            "after_id",
            "version",
            "delay_millis",
            "ttl_millis",
            "grace_millis",
            "age_millis",
            "window_millis",
            "lease_millis",
            "earliest",
            "latest",
            "jms_timestamp",
            "jms_expiration",
            "jms_delivery_time",
            "body_length",
            "behind",
            "clock_millis");
    private static final Set<String> JSON = Set.of("keys", "destination_ids", "groups", "ids", "tokens");
    private static final Set<String> TEXTS = Set.of(
            "addresses",
            "claim_token",
            "client_id",
            "consumer",
            "correlation_id",
            "group_id",
            "host",
            "instance",
            "jms_destination",
            "jms_message_id",
            "jms_type",
            "joined_queues",
            "kind",
            "listening_to",
            "name",
            "origin",
            "owner",
            "pattern",
            "process",
            "properties",
            "paused_queues",
            "provider_version",
            "reason",
            "reply_to",
            "resource",
            "secret",
            "selector",
            "target",
            "token",
            "worker");

    /** The name of the queue to which a message goes. */
    static final String QUEUE = "verify statements";

    private Values() {}

    /**
     * The type in which it reaches the server.
     *
     * @throws IllegalArgumentException if nobody has said
     */
    static String type(String parameter) {
        if (NUMBERS.contains(parameter)) {
            return "int";
        }
        if (LONG_NUMBERS.contains(parameter)) {
            return "bigint";
        }
        if (JSON.contains(parameter) || TEXTS.contains(parameter)) {
            return "nvarchar(4000)";
        }
        if (parameter.equals("body") || parameter.equals("shared_body")) {
            return "varbinary(8000)";
        }
        throw new IllegalArgumentException("No type for the parameter :" + parameter + "; add it to Values");
    }

    /** A value that matches nothing, or does no harm, as a literal. */
    static String literal(String parameter) {
        return switch (type(parameter)) {
            case "int", "bigint" -> Long.toString(number(parameter));
            case "varbinary(8000)" -> "0x00";
            default -> "N'" + text(parameter) + "'";
        };
    }

    /** The same for the driver. */
    static void set(PreparedStatement statement, int position, String parameter) throws SQLException {
        switch (type(parameter)) {
            case "int" -> statement.setInt(position, (int) number(parameter));
            case "bigint" -> statement.setLong(position, number(parameter));
            case "varbinary(8000)" -> statement.setBytes(position, new byte[1]);
            default -> statement.setNString(position, text(parameter));
        }
    }

    private static long number(String parameter) {
        return switch (parameter) {
            case "destination_id", "message_id", "after_id", "max_inline_body" -> -1;
            case "after_priority" -> Short.MIN_VALUE - 1;
            case "expected" -> 0;
            case "ttl_millis" -> 3_600_000;
            default -> 1;
        };
    }

    private static String text(String parameter) {
        if (JSON.contains(parameter)) {
            return "[]";
        }
        return switch (parameter) {
            case "token", "claim_token", "instance" -> UUID.randomUUID().toString();
            case "kind" -> "Q";
            case "jms_destination" -> "queue://" + QUEUE;
            case "consumer", "worker", "client_id", "name" ->
                "verify " + UUID.randomUUID().toString().substring(0, 8);
            case "properties" -> "{}";
            default -> "verify";
        };
    }
}
