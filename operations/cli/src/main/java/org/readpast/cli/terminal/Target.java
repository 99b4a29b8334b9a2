package org.readpast.cli.terminal;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.administration.Administration;
import org.readpast.operations.database.Look;
import org.readpast.operations.messages.Repair;
import picocli.CommandLine.Option;

/** Where the database is, and who logs in. A password is never an argument: every user of the machine could read it. */
public final class Target {

    /** That of a login, or of a store of keys. */
    public static final Pattern PASSWORD_IN_URL = Pattern.compile("(?i)[;?&#][^;?&#=]*(?:password|pwd|secret)\\s*=");

    /** As the factory's own database is called where there are routes. */
    public static final String HOME = "home";

    private static final int SECONDS_OF_A_LOOK = 10;

    /** More than the minute that a batch of repair or a call of administration may take, so that it is the server that undoes it. */
    private static final int SECONDS_OF_WORK = 90;

    /** The greatest that a limit of the provider's may be. */
    private static final String LONGEST = Integer.toString(Integer.MAX_VALUE - 8);

    private static final Pattern ROUTE = Pattern.compile("route\\.([A-Za-z0-9_-]+)\\.url");

    private static final Pattern PRODUCT = Pattern.compile("jdbc:\\w+:");

    private static final Pattern USER_IN_URL = Pattern.compile("(?i)[;?&#]\\s*user(?:Name)?\\s*=");

    @Option(
            names = {"-u", "--url"},
            description =
                    "JDBC URL of the database, without a password. Default: READPAST_URL, then url in the configuration.")
    private String url;

    @Option(
            names = {"-U", "--user"},
            description = "The login. Default: READPAST_USER, then user in the configuration.")
    private String user;

    @Option(
            names = {"-P", "--ask-password"},
            description =
                    "Ask for the password. Without it: --password-file, then READPAST_PASSWORD, then password in the configuration.")
    private boolean isAsked;

    @Option(names = "--password-file", description = "A file whose first line is the password.")
    private Path passwordFile;

    @Option(
            names = {"-c", "--config"},
            description =
                    "A file of properties: url, user, password, schema, silenced; doctor, exporter and status look at each route.NAME.url too. Default: READPAST_CONFIG.")
    private Path config;

    @Option(
            names = {"-s", "--schema"},
            description =
                    "The schema of the message tables. Default: READPAST_SCHEMA, then schema in the configuration, then readpast.")
    private String schema;

    private Properties properties;
    private String password;
    private boolean isRoute;

    /** What was given, else the variable of the environment, else what the configuration has, else the fallback. */
    String setting(String given, String variable, String key, String fallback) throws IOException {
        if (given != null) {
            return given;
        }
        String fromEnvironment = environment(variable);
        return fromEnvironment != null ? fromEnvironment : properties().getProperty(key, fallback);
    }

    /** A variable that says something about this database; null if none does. */
    private String environment(String variable) {
        String value = isRoute ? null : System.getenv(variable);
        return value == null || value.isEmpty() ? null : value;
    }

    /** This database, and those that the configuration has as routes, as a connection factory has them: by name, this one first. */
    public Map<String, Target> databases() throws IOException {
        Map<String, Target> all = new LinkedHashMap<>();
        all.put(HOME, this);
        for (String key : new TreeSet<>(properties().stringPropertyNames())) {
            Matcher route = ROUTE.matcher(key);
            if (route.matches()) {
                all.put(route.group(1), route(route.group(1)));
            }
        }
        return all;
    }

    /** It has a login of its own; its schema is this one's, if it names none. */
    private Target route(String name) throws IOException {
        Target route = new Target();
        route.isRoute = true;
        route.properties = new Properties();
        route.properties.setProperty("schema", schema());
        for (String key : List.of("url", "user", "password", "schema")) {
            String value = properties().getProperty("route." + name + "." + key);
            if (value != null) {
                route.properties.setProperty(key, value);
            }
        }
        return route;
    }

    private Properties properties() throws IOException {
        if (properties == null) {
            Properties read = new Properties();
            String fromEnvironment = System.getenv("READPAST_CONFIG");
            Path file = config == null && fromEnvironment != null && !fromEnvironment.isEmpty()
                    ? Path.of(fromEnvironment)
                    : config;
            if (file != null) {
                try (BufferedReader in = Files.newBufferedReader(file)) {
                    read.load(in);
                }
            }
            properties = read;
        }
        return properties;
    }

    public String url() throws IOException {
        if (url != null && PASSWORD_IN_URL.matcher(url).find()) {
            throw new Failure.Refused(
                    ExitCode.USAGE,
                    "the URL has a password in it, which every user of this machine could read in the list of processes:"
                            + " use READPAST_PASSWORD, --password-file or --ask-password, and for that of a store of keys"
                            + " READPAST_URL or --config");
        }
        String found = setting(url, "READPAST_URL", "url", null);
        if (found == null) {
            throw new Failure.Refused(ExitCode.USAGE, "which database? Give --url, READPAST_URL or --config");
        }
        if (user() != null && USER_IN_URL.matcher(found).find()) {
            throw new Failure.Refused(
                    ExitCode.USAGE,
                    "the URL names a user, and so does --user, READPAST_USER or the configuration:"
                            + " name one in one place");
        }
        return found.startsWith("readpast:") ? found.substring("readpast:".length()) : found;
    }

    private String user() throws IOException {
        return setting(user, "READPAST_USER", "user", null);
    }

    private String password() throws IOException {
        if (password == null) {
            password = isAsked ? ask() : readPassword();
        }
        return password;
    }

    private static String ask() {
        Console console = Terminal.find()
                .orElseThrow(
                        () -> new Failure.Refused(ExitCode.USAGE, "there is no terminal to ask for the password on"));
        char[] typed = console.readPassword("Password: ");
        return typed == null ? "" : new String(typed);
    }

    private String readPassword() throws IOException {
        if (passwordFile != null) {
            try (var lines = Files.lines(passwordFile)) {
                return lines.findFirst().orElse("");
            }
        }
        return setting(null, "READPAST_PASSWORD", "password", null);
    }

    public String schema() throws IOException {
        return setting(schema, "READPAST_SCHEMA", "schema", "readpast");
    }

    /** Finds out at once what is missing of the arguments, and asks for the password if that was wanted. */
    public void check() throws IOException {
        url();
        password();
        schema();
    }

    /** A server that says nothing for 90 s is given up, which is an error. */
    public Connection connect() throws SQLException, IOException {
        return connect(SECONDS_OF_WORK);
    }

    /** For one statement that may take hours: only TCP finds out that the server is gone. */
    public Connection connectForLong() throws SQLException, IOException {
        Connection connection = connect();
        connection.setNetworkTimeout(Runnable::run, 0);
        return connection;
    }

    private Connection connect(int secondsOfSilence) throws SQLException, IOException {
        Properties login = new Properties();
        if (user() != null) {
            login.setProperty("user", user());
        }
        if (password() != null) {
            login.setProperty("password", password());
        }
        if (url().startsWith("jdbc:postgresql:")) {
            // While it logs in too, which the driver of SQL Server limits by itself.
            login.setProperty("socketTimeout", Integer.toString(secondsOfSilence));
            login.setProperty("tcpKeepAlive", "true");
        }
        Connection connection = connect(url(), login);
        connection.setNetworkTimeout(Runnable::run, secondsOfSilence * 1000);
        return connection;
    }

    /**
     * As {@link DriverManager#getConnection(String, Properties)}, whose error would quote a URL that no driver takes, with the password that may be
     * in it.
     */
    public static Connection connect(String url, Properties login) throws SQLException {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            Matcher product = PRODUCT.matcher(url);
            throw new SQLException(
                    "There is no JDBC driver for '" + (product.lookingAt() ? product.group() : "") + "...'",
                    e.getSQLState(),
                    e);
        }
        return DriverManager.getConnection(url, login);
    }

    /** Looks, and closes the connection. A server that says nothing for ten seconds is given up, which is an error. */
    public <T> T look(Question<Look, T> question) throws Exception {
        try (Connection connection = connect(SECONDS_OF_A_LOOK);
                Look look = new Look(connection, schema())) {
            return question.answer(look);
        }
    }

    /** Repairs in the name of this machine's user, and closes the connection. A batch has a minute, of which it waits 30 s for a lock. */
    public <T> T repair(Question<Repair, T> question) throws Exception {
        try (Connection connection = connect()) {
            Repair repair = new Repair(connection, schema(), systemUser());
            repair.limit();
            return question.answer(repair);
        }
    }

    /** Administers in the name of this machine's user, and closes the connection. A call has a minute, of which it waits 30 s for a lock. */
    public <T> T administer(Question<Administration, T> question) throws Exception {
        try (Connection connection = connect()) {
            Administration administration = new Administration(connection, schema(), systemUser());
            administration.limit();
            return question.answer(administration);
        }
    }

    /** What is asked of somebody. */
    public interface Question<A, T> {
        T answer(A asked) throws Exception;
    }

    /** A factory that makes no schema and, unless told, no queue: a name that was typed wrongly is an error. */
    public ReadpastConnectionFactory factory(boolean mayCreate) throws IOException {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url());
        if (user() != null) {
            factory.setUserName(user());
        }
        if (password() != null) {
            factory.setPassword(password());
        }
        factory.setSchema(schema());
        factory.setProperty("createSchema", "false");
        factory.setProperty("autoCreate", Boolean.toString(mayCreate));
        factory.setProperty("idleCloseMillis", "0");
        factory.setProperty("poolSize", "4");
        // What becomes of messages that failed often, or have expired, is for the applications to say.
        factory.setProperty("redelivery.maximumDeliveries", "0");
        factory.setProperty("removeExpired", "false");
        // They may send what is as long as their own limits say.
        factory.setProperty("maxBodyBytes", LONGEST);
        factory.setProperty("maxPropertiesLength", LONGEST);
        return factory;
    }

    /** The URL with the login in it, for {@code verify}, which hands it to the driver. */
    public String urlWithLogin() throws IOException {
        String found = url();
        return found
                + (user() == null ? "" : ";user=" + braced(user()))
                + (password() == null ? "" : ";password=" + braced(password()));
    }

    private static String braced(String value) {
        return "{" + value.replace("}", "}}") + "}";
    }

    /** This machine's user, in whose name the audit has what a command does. */
    public static String systemUser() {
        return System.getProperty("user.name");
    }
}
