package org.readpast.jms.tck.harness;

import jakarta.jms.JMSException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.readpast.jms.tck.rig.TestDatabase;

/** Readpast on the SQL Server whose URL was given on the command line. */
final class SqlServerTarget extends ReadpastTarget {
    private final String user;
    private final String password;

    private SqlServerTarget(String jdbcUrl) {
        super(TargetId.SQLSERVER, jdbcUrl);
        this.user = property(jdbcUrl, "user");
        this.password = property(jdbcUrl, "password");
    }

    static SqlServerTarget start(String jdbcUrl) {
        if (jdbcUrl.isBlank()) {
            throw new IllegalStateException(
                    "no SQL Server is known; give -D" + Targets.SQLSERVER_URL_PROPERTY + "=jdbc:sqlserver://...");
        }
        SqlServerTarget target = new SqlServerTarget(jdbcUrl);
        try {
            target.connectionFactory().createConnection().close();
            TestDatabase.SQLSERVER.numberInOrder();
        } catch (SQLException | JMSException e) {
            throw new IllegalStateException(
                    "The SQL Server of -D" + Targets.SQLSERVER_URL_PROPERTY + " cannot be used", e);
        }
        return target;
    }

    private static String property(String jdbcUrl, String name) {
        Matcher matcher = Pattern.compile(";\\s*" + name + "\\s*=([^;]*)", Pattern.CASE_INSENSITIVE)
                .matcher(jdbcUrl);
        if (!matcher.find()) {
            throw new IllegalStateException("-D" + Targets.SQLSERVER_URL_PROPERTY + " has no ';"
                    + name.toLowerCase(Locale.ROOT) + "=...', which the suite needs");
        }
        return matcher.group(1);
    }

    @Override
    Optional<String> openTransactionsQuery() {
        return Optional.empty();
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public String password() {
        return password;
    }

    @Override
    public void stop() {
        // Not ours to stop.
    }
}
