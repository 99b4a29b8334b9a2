package org.readpast.operations.messages;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.codec.MalformedJsonException;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.operations.database.Procedures;
import org.readpast.operations.database.Product;
import org.readpast.operations.database.StatementFile;

/**
 * {@link Conditions}, asked of rows as the procedures ask them, but for the state. A property that is a number has the value that Java writes
 * for it.
 */
final class RepairCondition implements RowCondition {

    private static final Set<String> ORIGINS = Set.of("Q", "TQ", "S");

    private final Connection connection;
    private final Product product;
    private final StatementFile destination;
    private final Conditions wanted;

    /** Which destinations have the name of the origin that is wanted, as far as they have been looked up. */
    private final Map<Integer, Boolean> origins = new HashMap<>();

    RepairCondition(Connection connection, Product product, String schema, Conditions wanted) throws SQLException {
        if (wanted.property() == null && wanted.propertyValue() != null) {
            throw new IllegalArgumentException("The value is of no property");
        }
        this.connection = connection;
        this.product = product;
        this.destination = Procedures.file(product, schema, "destination");
        this.wanted = wanted;
    }

    @Override
    public Answer of(ResultSet row) throws SQLException {
        Instant sentAt = Instant.ofEpochMilli(row.getLong("jms_timestamp"));
        boolean isMeant = isText(wanted.jmsMessageId(), row.getString("jms_message_id"))
                && isText(wanted.correlationId(), row.getString("correlation_id"))
                && isText(wanted.type(), row.getString("jms_type"))
                && (wanted.sentBefore() == null || sentAt.isBefore(wanted.sentBefore()))
                && (wanted.sentAfter() == null || sentAt.isAfter(wanted.sentAfter()))
                && (wanted.minimumDeliveries() == null || row.getInt("delivery_count") >= wanted.minimumDeliveries())
                && (wanted.origin() == null || isOrigin(row.getInt("origin_id")));
        return !isMeant ? Answer.OTHER : wanted.property() == null ? Answer.CHOSEN : property(row);
    }

    private static boolean isText(String text, String found) {
        return text == null || text.equals(found);
    }

    private Answer property(ResultSet row) throws SQLException {
        String json = row.getString("properties");
        if (PropertiesJson.lengthIn(json) >= 0) {
            return Answer.UNREADABLE;
        }
        Map<String, Object> properties;
        try {
            properties = PropertiesJson.read(json);
        } catch (MalformedJsonException e) {
            return Answer.UNREADABLE;
        }
        Object value = properties.get(wanted.property());
        boolean isMeant = wanted.propertyValue() == null
                ? properties.containsKey(wanted.property())
                : value != null && wanted.propertyValue().equals(value.toString());
        return isMeant ? Answer.CHOSEN : Answer.OTHER;
    }

    private boolean isOrigin(int id) throws SQLException {
        Boolean known = origins.get(id);
        if (known == null) {
            known = lookUp(id);
            origins.put(id, known);
        }
        return known;
    }

    private boolean lookUp(int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(destination.text())) {
            destination.bind(statement, product, Map.of("destination_id", id));
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        && ORIGINS.contains(row.getString("kind"))
                        && row.getString("name").equals(wanted.origin());
            }
        }
    }
}
