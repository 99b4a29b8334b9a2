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
        // A provider that is present keeps one transaction open, which holds the lock on its row. H2 does not list row
        // locks, so it is the number that tells.
        return Optional.of("SELECT 'transaction of session ' || SESSION_ID FROM INFORMATION_SCHEMA.SESSIONS"
                + " WHERE CONTAINS_UNCOMMITTED AND SESSION_ID <> SESSION_ID() ORDER BY SESSION_ID"
                + " OFFSET (SELECT COUNT(*) FROM readpast.presence) ROWS");
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
