package org.readpast.jms.store.jdbc;

/** Errors around a commit on SQL Server. */
@OnSqlServer
class SqlServerCutOffTest extends CutOffContract {

    SqlServerCutOffTest() {
        super(TestDatabase.SQL_SERVER);
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
        return ".new_message";
    }

    @Override
    String insert() {
        return "INSERT INTO " + table("new_message");
    }
}
