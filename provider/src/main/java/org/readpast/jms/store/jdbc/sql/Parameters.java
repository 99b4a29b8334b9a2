package org.readpast.jms.store.jdbc.sql;

import java.sql.SQLException;

/** Takes the values of a statement's parameters by their names. Not thread-safe. */
public interface Parameters {

    Parameters set(String name, int value) throws SQLException;

    Parameters set(String name, long value) throws SQLException;

    /** Sets a number that may be null. */
    Parameters set(String name, Long value) throws SQLException;

    /** Sets a text, which may be null. */
    Parameters set(String name, String value) throws SQLException;

    /** Sets bytes, which may be null. */
    Parameters set(String name, byte[] value) throws SQLException;
}
