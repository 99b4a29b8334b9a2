package org.readpast.operations.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** The row of an answer at which it stands, with each column by its name. Not thread-safe. */
public final class Row {

    /** The first and the last that PostgreSQL has, beside its infinities, with which nothing can be reckoned. */
    private static final Instant FIRST = Instant.parse("-4713-11-24T00:00:00Z");

    private static final Instant LAST = Instant.parse("+294276-12-31T23:59:59.999999Z");

    private final ResultSet rows;
    private final Product product;

    /** The row at which a result stands. */
    public Row(ResultSet rows, Product product) {
        this.rows = rows;
        this.product = product;
    }

    /** As the driver has it. */
    public ResultSet asItIs() {
        return rows;
    }

    /** Null where there is none. */
    public String text(String column) throws SQLException {
        return rows.getString(column);
    }

    /** Null where there are none. */
    public byte[] bytes(String column) throws SQLException {
        return rows.getBytes(column);
    }

    /** 0 where there is none. */
    public long number(String column) throws SQLException {
        return rows.getLong(column);
    }

    /** Null where there is none. */
    public Long count(String column) throws SQLException {
        long number = rows.getLong(column);
        return rows.wasNull() ? null : (Long) number;
    }

    /** Null where there is none. */
    public Integer integerOrNull(String column) throws SQLException {
        int number = rows.getInt(column);
        return rows.wasNull() ? null : (Integer) number;
    }

    /** 0 where there is none. */
    public int integer(String column) throws SQLException {
        return rows.getInt(column);
    }

    /** Whether it is 1. */
    public boolean flag(String column) throws SQLException {
        return rows.getInt(column) == 1;
    }

    /** SQL Server's times have no zone, and are in UTC. */
    public Instant time(String column) throws SQLException {
        if (product == Product.SQL_SERVER) {
            LocalDateTime time = rows.getObject(column, LocalDateTime.class);
            return time == null ? null : time.toInstant(ZoneOffset.UTC);
        }
        OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
        if (time == null) {
            return null;
        }
        Instant moment = time.toInstant();
        return moment.isBefore(FIRST) ? FIRST : moment.isAfter(LAST) ? LAST : moment;
    }

    /**
     * What {@link #time} returned, as the database takes it in a statement, at its full precision: PostgreSQL's infinities are such again,
     * and its years of more than four digits have no plus. Years before Christ, but for the first moment, it does not take so.
     */
    public static String written(Product product, Instant moment) {
        String text = moment.toString();
        if (product == Product.SQL_SERVER) {
            return text.replace("Z", "");
        }
        if (product != Product.POSTGRESQL) {
            return text;
        }
        return moment.equals(LAST)
                ? "infinity"
                : moment.equals(FIRST) ? "-infinity" : text.startsWith("+") ? text.substring(1) : text;
    }
}
