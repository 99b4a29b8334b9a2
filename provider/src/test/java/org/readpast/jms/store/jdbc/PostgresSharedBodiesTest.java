package org.readpast.jms.store.jdbc;

/** Shared bodies on PostgreSQL. */
class PostgresSharedBodiesTest extends SharedBodiesContract {

    PostgresSharedBodiesTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
