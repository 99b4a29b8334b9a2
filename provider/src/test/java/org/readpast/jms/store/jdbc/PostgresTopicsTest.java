package org.readpast.jms.store.jdbc;

/** Topics and subscriptions on PostgreSQL. */
class PostgresTopicsTest extends TopicsContract {

    PostgresTopicsTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Override
    String numbers(int count) {
        return "generate_series(1, " + count + ") AS r (n)";
    }

    @Override
    String concatenated(String text, String number) {
        return text + " || " + number;
    }
}
