package org.readpast.jms.store.jdbc;

/** Duplicate detection on PostgreSQL. */
class PostgresDuplicatesTest extends DuplicatesContract {

    PostgresDuplicatesTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
