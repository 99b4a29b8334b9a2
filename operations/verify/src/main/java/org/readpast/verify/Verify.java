package org.readpast.verify;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.readpast.jms.ReadpastConnectionFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Shows on a SQL Server whether what Readpast relies on holds there. It works in a database of its own, which it makes and removes,
 * or in a schema of its own, and prints a line for each check and one to paste into an issue. Exit code 1 where anything did not hold.
 */
@Command(
        name = "verify",
        description =
                "Shows on a SQL Server whether what Readpast relies on holds there: runs every statement and procedure, "
                        + "looks at the plans with 60,000 messages, tries locks with two connections, and sends messages.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class Verify implements Callable<Integer> {

    private static final Pattern DATABASE = Pattern.compile("(?i);\\s*database(Name)?=[^;]*");
    private static final int AZURE_SQL_DATABASE = 5;

    @Option(
            names = "--url",
            required = true,
            description =
                    "JDBC URL of the server, with user and password: jdbc:sqlserver://host;user=sa;password=...;encrypt=true")
    private String url;

    @Option(
            names = "--here",
            description =
                    "Works in a schema of its own in the URL's database, with that one's settings. Without it in a database "
                            + "of its own, once with READ_COMMITTED_SNAPSHOT off and once on, which takes the right to create databases.")
    private boolean here;

    private final PrintStream out;

    /** Whether there is something of ours on the server. */
    private volatile boolean isLeft;

    Verify(PrintStream out) {
        this.out = out;
    }

    /**
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        System.exit(execute(System.out, arguments));
    }

    /** Runs it and returns the exit code: 0 all held, 1 something did not, 2 it could not be run. */
    static int execute(PrintStream out, String... arguments) {
        return new CommandLine(new Verify(out))
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println("Could not verify: " + Errors.text(e));
                    return CommandLine.ExitCode.USAGE;
                })
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .execute(arguments);
    }

    /**
     * The same for another program.
     *
     * @param out where the checks are printed
     * @param url JDBC URL of the server, with user and password
     * @param here whether to work in a schema of its own in the URL's database, and not in a database of its own
     * @return whether all held
     * @throws SQLException if the server is away, or the login is refused or has not the right
     * @throws Exception whatever else keeps it from running
     */
    public static boolean run(PrintStream out, String url, boolean here) throws Exception {
        Verify verify = new Verify(out);
        verify.url = url;
        verify.here = here;
        return verify.call() == CommandLine.ExitCode.OK;
    }

    @Override
    public Integer call() throws Exception {
        Report report = new Report(out);
        Server given = new Server(url, "readpast_verify_" + random());
        String about = about(given);
        out.println(about);
        if (here || edition(given) == AZURE_SQL_DATABASE) {
            inSchema(given, report);
        } else {
            inDatabase(given, report);
        }
        out.println();
        out.println("To paste into an issue:");
        out.println(report.summary(about));
        return report.count(Report.Outcome.NOT_HELD) == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static String random() {
        return UUID.randomUUID().toString().substring(0, 8);
    }

    private static String about(Server server) throws SQLException {
        try (Connection connection = server.autocommit()) {
            return server.value(
                            connection,
                            "SELECT CONCAT(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(50)), N', ', "
                                    + "CAST(SERVERPROPERTY('Edition') AS nvarchar(100)))")
                    + ", driver " + connection.getMetaData().getDriverVersion() + ", Java "
                    + Runtime.version().feature();
        }
    }

    private static int edition(Server server) throws SQLException {
        return Integer.parseInt(server.value("SELECT CAST(SERVERPROPERTY('EngineEdition') AS int)"));
    }

    /** Names what is made, and again where this process is told to end (SIGTERM, Ctrl-C) before it has been removed. */
    private void begin(String what, String removal) {
        out.println("Works in the " + what + ", which is removed at the end");
        Thread interrupted = new Thread(
                () -> {
                    if (isLeft) {
                        out.println("The " + what + " is left; " + removal + " removes it");
                    }
                },
                "verify interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
    }

    private void inDatabase(Server given, Report report) throws Exception {
        String database = given.schema();
        begin("database " + database, "DROP DATABASE [" + database + "]");
        given.run("CREATE DATABASE [" + database + "]");
        isLeft = true;
        try {
            Server own = new Server(DATABASE.matcher(url).replaceAll("") + ";databaseName=" + database, "readpast");
            switchSnapshot("OFF", given, database, report);
            boolean isOff = !isSnapshotOn(own);
            checks(
                    own,
                    report,
                    isOff ? "READ_COMMITTED_SNAPSHOT off" : "READ_COMMITTED_SNAPSHOT on, as it cannot be switched off");
            switchSnapshot("ON", given, database, report);
            if (isOff && isSnapshotOn(own)) {
                checks(new Server(own.url(), "readpast_rcsi"), report, "READ_COMMITTED_SNAPSHOT on");
            }
        } finally {
            drop(given, database);
        }
    }

    /** A new database has the setting of the server's model. */
    private static void switchSnapshot(String to, Server given, String database, Report report) {
        report.check("database", "READ_COMMITTED_SNAPSHOT is switched " + to.toLowerCase(Locale.ROOT), () -> {
            try {
                given.run("ALTER DATABASE [" + database + "] SET READ_COMMITTED_SNAPSHOT " + to
                        + " WITH ROLLBACK IMMEDIATE");
            } catch (SQLException e) {
                throw new Report.NotChecked(Errors.text(e));
            }
            return "";
        });
    }

    private static boolean isSnapshotOn(Server server) throws SQLException {
        return "1"
                .equals(server.value(
                        "SELECT CAST(is_read_committed_snapshot_on AS int) FROM sys.databases WHERE name = DB_NAME()"));
    }

    /** Whoever is still connected is thrown out, on servers that can. */
    private void drop(Server given, String database) throws SQLException {
        try {
            given.run("ALTER DATABASE [" + database + "] SET SINGLE_USER WITH ROLLBACK IMMEDIATE");
        } catch (SQLException e) {
            out.println("The database " + database + " is dropped although it may be in use: " + Errors.text(e));
        }
        given.run("DROP DATABASE [" + database + "]");
        isLeft = false;
    }

    private void inSchema(Server own, Report report) throws Exception {
        begin("schema " + own.schema(), "uninstall.sql with this name in place of readpast");
        isLeft = true;
        try {
            checks(own, report, "in the database " + own.value("SELECT DB_NAME()"));
        } finally {
            own.script(uninstall(own.schema()));
            isLeft = false;
        }
    }

    /** The script as sqlcmd would run it with force=yes. */
    private static String uninstall(String schema) throws Exception {
        return SqlFile.script("uninstall.sql", schema)
                .replaceAll("(?m)^:.*$", "")
                .replace("$(force)", "yes");
    }

    private void checks(Server server, Report report, String title) throws Exception {
        out.println();
        out.println("== " + title);
        report.look(
                "database",
                "collations of server, database, compatibility level, user options, optimized locking, row versions",
                () -> server.value(
                        "SELECT CONCAT(CAST(SERVERPROPERTY('Collation') AS nvarchar(100)), N', ', "
                                + "CAST(DATABASEPROPERTYEX(DB_NAME(), 'Collation') AS nvarchar(100)), N', ', "
                                + "(SELECT compatibility_level FROM sys.databases WHERE name = DB_NAME()), N', ', @@OPTIONS, N', ', "
                                + "CAST(DATABASEPROPERTYEX(DB_NAME(), 'IsOptimizedLockingOn') AS nvarchar(10)), "
                                + "(SELECT CONCAT(N', READ_COMMITTED_SNAPSHOT ', is_read_committed_snapshot_on, "
                                + "N', ALLOW_SNAPSHOT_ISOLATION ', snapshot_isolation_state) FROM sys.databases WHERE name = DB_NAME()))"));
        boolean[] installed = new boolean[1];
        report.check("schema", "installed by createSchema", () -> {
            ReadpastConnectionFactory factory = server.factory();
            factory.setProperty("createSchema", "true");
            factory.createContext().close();
            installed[0] = true;
            return "";
        });
        if (!installed[0]) {
            return;
        }
        List<SqlFile> files = SqlFile.all(server.schema());
        new StatementChecks(server, report, files).run();
        new OperationsChecks(server, report).run();
        new LockChecks(server, report, files).run();
        new ProcedureChecks(server, report).run();
        new MessagingChecks(server, report).run();
        new PlanCacheChecks(server, report).run();
        new PlanChecks(server, report, files).run();
    }
}
