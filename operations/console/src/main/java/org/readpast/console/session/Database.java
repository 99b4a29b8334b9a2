package org.readpast.console.session;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.Set;

/** The database that users sign in to. Thread-safe. */
public final class Database {

    private static final String SECONDS_TO_LOG_IN = "10";
    private static final String NAME = "readpast-console";

    private static final Set<String> AWAY = Set.of("08001", "08006", "08S01", "57P03", "53300");

    /** What SQL Server says to a login while it starts, recovers the database or fails over, and where Azure has no room for one more. */
    private static final Set<Integer> AWAY_OF_SQL_SERVER = Set.of(
            921, 922, 927, 941, 976, 978, 983, 4060, 4064, 10928, 10929, 17142, 17187, 17197, 18401, 18451, 18461,
            40197, 40501, 40613, 49918, 49919, 49920);

    private final String url;
    private final String schema;

    /**
     * A database that nobody has signed in to yet.
     *
     * @param url says nothing of who logs in
     * @param schema of the message tables
     */
    public Database(String url, String schema) {
        // H2 would make a database, and the user whose name was typed its owner.
        this.url = url.startsWith("jdbc:h2:")
                        && !url.toUpperCase(java.util.Locale.ROOT).contains(";IFEXISTS=")
                ? url + ";IFEXISTS=TRUE"
                : url;
        this.schema = schema;
    }

    String schema() {
        return schema;
    }

    Connection connect(String user, String password) throws SQLException {
        return DriverManager.getConnection(url, login(user, password));
    }

    /**
     * Whether the database could not say whether a password is right, as it is away, or takes no more connections: by what the drivers say
     * where they find nobody, and by what PostgreSQL and SQL Server say while they start or are full. SQL Server's driver can be told to use the
     * first for a wrong password too (xopenStates), which has an error code then.
     */
    public static boolean isAway(SQLException e) {
        return e.getErrorCode() == 0
                ? e.getSQLState() != null && AWAY.contains(e.getSQLState())
                : AWAY_OF_SQL_SERVER.contains(e.getErrorCode());
    }

    /** What the driver is told. */
    Properties login(String user, String password) {
        Properties login = new Properties();
        login.setProperty("user", user);
        login.setProperty("password", password);
        if (url.startsWith("jdbc:postgresql:")) {
            login.setProperty("loginTimeout", SECONDS_TO_LOG_IN);
            login.setProperty("ApplicationName", NAME);
            login.setProperty("tcpKeepAlive", "true");
            // Else one is let in by his address (trust) or by who runs the console (peer, gss, cert), whatever he
            // typed.
            login.setProperty("requireAuth", "scram-sha-256,md5,password");
        } else if (url.startsWith("jdbc:sqlserver:")) {
            login.setProperty("loginTimeout", SECONDS_TO_LOG_IN);
            login.setProperty("applicationName", NAME);
            // The driver would keep the password, to connect again by itself.
            login.setProperty("connectRetryCount", "0");
        }
        return login;
    }
}
