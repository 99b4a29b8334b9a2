package org.readpast.jms.store.jdbc;

/** Topics and subscriptions on H2. */
class H2TopicsTest extends SqlTopicsContract {

    H2TopicsTest() {
        super(TestDatabase.H2);
    }

    @Override
    String numbers(int count) {
        return "SYSTEM_RANGE(1, " + count + ") AS r (n)";
    }

    @Override
    String concatenated(String text, String number) {
        return text + " || " + number;
    }
}
