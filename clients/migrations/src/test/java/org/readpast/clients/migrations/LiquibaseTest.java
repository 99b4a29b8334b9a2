package org.readpast.clients.migrations;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.ui.LoggerUIService;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Liquibase: a changelog that includes the one in the provider's jar, whose preconditions mark what was run by hand. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
class LiquibaseTest extends MigrationsContract {

    private static final Logger LOG = Logger.getLogger("liquibase");

    static {
        LOG.setLevel(Level.WARNING);
    }

    LiquibaseTest(String database) {
        super(database);
    }

    /** What it does goes to its log, which tells warnings only, and not to the standard output. */
    @Override
    int migrate() throws Exception {
        int before = installed();
        Scope.child(Map.of(Scope.Attr.ui.name(), new LoggerUIService()), () -> {
            try (Connection connection = DriverManager.getConnection(url);
                    Liquibase liquibase = new Liquibase(
                            database + ".yaml", new ClassLoaderResourceAccessor(), new JdbcConnection(connection))) {
                liquibase.update("");
            }
        });
        return number("SELECT COUNT(*) FROM " + versions() + " WHERE version > " + before);
    }
}
