package org.readpast.jms.store.jdbc;

/** Topics and subscriptions on SQL Server, where one is given. */
@OnSqlServer
class SqlServerTopicsTest extends SqlTopicsContract {

    SqlServerTopicsTest() {
        super(TestDatabase.SQL_SERVER);
    }

    @Override
    String numbers(int count) {
        return "OPENJSON('["
                + java.util.stream.IntStream.rangeClosed(1, count)
                        .mapToObj(String::valueOf)
                        .collect(java.util.stream.Collectors.joining(","))
                + "]') WITH (n int '$') AS r";
    }

    @Override
    String concatenated(String text, String number) {
        return "CONCAT(" + text + ", " + number + ")";
    }
}
