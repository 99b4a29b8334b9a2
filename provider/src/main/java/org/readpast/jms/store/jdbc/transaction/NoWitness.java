package org.readpast.jms.store.jdbc.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/** Nobody is to find out. */
public final class NoWitness extends Witness {

    @Override
    boolean canTell() {
        return false;
    }

    @Override
    public boolean isPrepared() {
        return true;
    }

    @Override
    void prepare(Connection connection) {
        // There is nothing to remember.
    }

    @Override
    void carryOut(Connection connection) throws SQLException {
        connection.commit();
    }

    @Override
    public Outcome ask(Connection other) {
        return Outcome.UNKNOWN;
    }
}
