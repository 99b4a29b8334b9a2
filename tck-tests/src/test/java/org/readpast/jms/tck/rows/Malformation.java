package org.readpast.jms.tck.rows;

import org.readpast.jms.tck.rig.TestDatabase;

/** What can be wrong with the row of a text message, each of which was seen to stop its queue, or to be seen by nobody. */
enum Malformation {
    UNKNOWN_KIND("body_kind", "77", "body_kind = 77"),
    KIND_OF_ANOTHER_FORMAT("body_format", "", "body_kind = 2"),
    UNKNOWN_FORMAT("body_format", "77", "body_format = 77"),
    NO_FORMAT("body_format", "0", "body_format = 0"),
    LENGTH_OF_NO_ARRAY("body_length", "99999999999", "body_length = 99999999999"),
    LENGTH_TOO_LARGE("body_length", "500000", "body_length = 500000"),
    LENGTH_TOO_SMALL("body_length", "1", "body_length = 1"),
    LENGTH_BELOW_ZERO("body_length", "-1", "body_length = -1"),
    NO_BODY("body", "", "body = NULL"),
    NO_SHARED_BODY("body", "", "body = NULL, body_id = 987654321"),
    ARRAY_OF_PROPERTIES("properties", "", "properties = '[1]'"),
    PROPERTIES_TOO_DEEP("properties", "100", "properties = '{\"a\":" + "[".repeat(300) + "]".repeat(300) + "}'"),
    PRIORITY_TOO_HIGH("priority_order", "-5", "priority_order = -5"),
    PRIORITY_TOO_LOW("priority_order", "20", "priority_order = 20"),
    PRIORITY_OF_NO_INDEX("priority_order", "32767", "priority_order = 32767"),
    COUNT_BELOW_ZERO("delivery_count", "-3", "delivery_count = -3"),
    NO_TEXT("body", "", null);

    private final String column;
    private final String value;
    private final String change;

    /**
     * @param column that the reason names
     * @param value of it that the reason names
     * @param change what makes a sound row such a one; null where that is each database's own
     */
    Malformation(String column, String value, String change) {
        this.column = column;
        this.value = value;
        this.change = change;
    }

    String column() {
        return column;
    }

    String value() {
        return value;
    }

    /** The columns to set of a row whose body is a text of two characters. */
    String change(TestDatabase database) {
        if (change != null) {
            return change;
        }
        return switch (database) {
            case H2 -> "body = X'C328'";
            case POSTGRESQL -> "body = decode('C328', 'hex')";
            case SQLSERVER -> "body = 0x410042, body_length = 3";
        };
    }
}
