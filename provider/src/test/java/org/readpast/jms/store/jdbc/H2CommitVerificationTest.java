package org.readpast.jms.store.jdbc;

/** Commits in doubt on H2. */
class H2CommitVerificationTest extends CommitVerificationContract {

    H2CommitVerificationTest() {
        super(TestDatabase.H2);
    }
}
