package org.readpast.jms.store.jdbc;

/** Errors around a commit on PostgreSQL. */
class PostgresCutOffTest extends CutOffContract {

    PostgresCutOffTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Override
    String commitWithMarker() {
        return "commit_marker";
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
