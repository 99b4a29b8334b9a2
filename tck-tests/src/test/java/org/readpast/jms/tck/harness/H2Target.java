package org.readpast.jms.tck.harness;

import java.util.Optional;

/** Readpast on H2 in this JVM's memory. */
final class H2Target extends ReadpastTarget {
    private H2Target() {
        super(TargetId.H2, "jdbc:h2:mem:tck;DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=sa");
    }

    static H2Target start() {
        return new H2Target();
    }

    @Override
    Optional<String> openTransactionsQuery() {
        // A provider that is present holds a row lock in a table kept for that purpose.
        return Optional.of("SELECT LOCK_TYPE || ' lock on ' || TABLE_NAME FROM INFORMATION_SCHEMA.LOCKS"
                + " WHERE TABLE_NAME <> 'PRESENCE' AND SESSION_ID <> SESSION_ID()");
    }

    @Override
    public String user() {
        return "sa";
    }

    @Override
    public String password() {
        return "sa";
    }

    @Override
    public void stop() {
        // The database goes with the JVM.
    }
}
