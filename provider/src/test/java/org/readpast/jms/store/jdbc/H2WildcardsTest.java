package org.readpast.jms.store.jdbc;

/** Subscriptions with wildcards on H2. */
class H2WildcardsTest extends SqlWildcardsContract {

    H2WildcardsTest() {
        super(TestDatabase.H2);
    }
}
