package org.readpast.ra.database;

import java.sql.Connection;
import java.sql.SQLException;

/** Where the SQL connections of the container's transactions come from. */
@FunctionalInterface
public interface SqlConnections {

    /** That of the calling thread's transaction; who has it closes it after each use. */
    Connection get() throws SQLException;
}
