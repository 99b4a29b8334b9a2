package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Commits one transaction, and can tell afterwards whether it was committed. Not thread-safe. */
abstract sealed class Witness permits NoWitness, MarkerWitness, StatusWitness {

    private boolean begun;

    /** Commits the open transaction of a connection. */
    final void commit(Connection connection) throws SQLException {
        prepare(connection);
        begin();
        carryOut(connection);
    }

    /** From now on a failure may have come after the commit: also for those that commit in their own statement. */
    final void begin() {
        begun = true;
    }

    /** Whether the commit may have reached the database. */
    final boolean hasBegun() {
        return begun;
    }

    /** Makes sure that it can be asked for. */
    abstract void prepare(Connection connection) throws SQLException;

    abstract void carryOut(Connection connection) throws SQLException;

    /**
     * What came of the commit.
     *
     * @param other a connection of the pool's with no transaction open, on which none is left open either
     */
    abstract Outcome ask(Connection other) throws SQLException;
}
