package org.readpast.clients.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.Test;
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

    /** On H2, which commits each statement, and by hand on SQL Server a script may be cut off behind any of them. */
    @Test
    void script_that_was_cut_off_behind_its_first_table_is_not_taken_for_run() throws Exception {
        runByHand(1);
        run(url, "DELETE FROM " + versions());
        if (database.equals("h2")) {
            assertThat(migrate()).isEqualTo(scripts().size());
            assertMessagesAreMoved();
        } else {
            assertThatThrownBy(this::migrate).hasStackTraceContaining("already");
        }
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
