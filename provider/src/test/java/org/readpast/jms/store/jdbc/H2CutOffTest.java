package org.readpast.jms.store.jdbc;

/** Errors around a commit on H2. */
class H2CutOffTest extends CutOffContract {

    H2CutOffTest() {
        super(TestDatabase.H2);
    }

    @Override
    String commitWithMarker() {
        return "commit()";
    }

    @Override
    String commit() {
        return "commit()";
    }

    @Override
    String send() {
        return "INSERT INTO " + table("message");
    }
}
