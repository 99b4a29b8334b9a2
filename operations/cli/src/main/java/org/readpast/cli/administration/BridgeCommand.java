package org.readpast.cli.administration;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.readpast.bridge.Bridge;
import org.readpast.bridge.BridgeRules;
import org.readpast.bridge.BrokerCounts;
import org.readpast.bridge.BrokerUrl;
import org.readpast.bridge.Direction;
import org.readpast.bridge.LinkStatus;
import org.readpast.bridge.Place;
import org.readpast.bridge.Preview;
import org.readpast.bridge.Remaining;
import org.readpast.bridge.Rule;
import org.readpast.bridge.Side;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Failure;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Look;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves messages between Readpast and another broker. */
@Command(
        name = "bridge",
        description =
                "Moves messages between Readpast and another JMS broker by a file of rules, until it is interrupted.",
        mixinStandardHelpOptions = true)
public final class BridgeCommand implements Callable<Integer> {

    private static final String READPAST = "readpast:";
    private static final String FROM_PASSWORD = "READPAST_FROM_PASSWORD";
    private static final String TO_PASSWORD = "READPAST_TO_PASSWORD";
    private static final String JMX_PASSWORD = "READPAST_JMX_PASSWORD";

    @Mixin
    private Output output;

    @Option(
            names = "--from",
            required = true,
            description =
                    "One side: readpast:jdbc:..., artemis:tcp://..., activemq:tcp://... or jndi:FILE#NAME, without a password.")
    private String from;

    @Option(names = "--to", required = true, description = "The other side, likewise. One of them is Readpast.")
    private String to;

    @Option(names = "--rules", required = true, description = "The file of rules: docs/bridge.md.")
    private Path rules;

    @Option(names = "--client-jars", description = "A folder with the jars of the other broker's JMS client.")
    private Path clientJars;

    @Option(names = "--from-user", description = "Who logs in at --from. The password: READPAST_FROM_PASSWORD.")
    private String fromUser;

    @Option(names = "--to-user", description = "Who logs in at --to. The password: READPAST_TO_PASSWORD.")
    private String toUser;

    @Option(
            names = {"-s", "--schema"},
            defaultValue = "readpast",
            description = "The schema of the message tables. Default: ${DEFAULT-VALUE}.")
    private String schema;

    @Option(names = "--create-tables", description = "Makes the tables of the bridge, where they are not there.")
    private boolean isToCreate;

    @Option(names = "--dry-run", description = "Says what would move and what could not be kept, and moves nothing.")
    private boolean isDry;

    @Option(
            names = "--left",
            description =
                    "Says what is left at the source of each rule and in the queues of the bridge, and moves nothing. The exit code is 1 if anything is, or is not known.")
    private boolean isToCount;

    @Option(
            names = "--broker-jmx",
            description =
                    "For --left: where the other broker shows JMX, service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi.")
    private String jmx;

    @Option(names = "--jmx-user", description = "Who logs in there. The password: READPAST_JMX_PASSWORD.")
    private String jmxUser;

    @Option(
            names = "--after-restore",
            description = "Goes on although one side was restored from a backup: messages may be lost or come twice.")
    private boolean isAfterRestore;

    @Option(
            names = "--every",
            defaultValue = "10",
            description = "Seconds between two looks, 1 or more. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--times", description = "Stops after so many looks. Default: when it is interrupted.")
    private Integer times;

    @Override
    public Integer call() throws Exception {
        if (seconds < 1) {
            throw new IllegalArgumentException("--every is 1 second or more");
        }
        refuseUnused(FROM_PASSWORD, fromUser, "--from-user");
        refuseUnused(TO_PASSWORD, toUser, "--to-user");
        BridgeRules read = rules();
        if (isToCount) {
            return count(read);
        }
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader clients = clients(before)) {
            Thread.currentThread().setContextClassLoader(clients);
            Side first = side(from, fromUser, FROM_PASSWORD, clients);
            Side second = side(to, toUser, TO_PASSWORD, clients);
            try (Bridge bridge = new Bridge(read, first, second)) {
                return run(bridge);
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** A user whom an address names, or a file of jndi, would log in without it. */
    private static void refuseUnused(String variable, String user, String option) {
        String password = System.getenv(variable);
        if (user == null && password != null && !password.isEmpty()) {
            throw new Failure.Refused(
                    ExitCode.USAGE, variable + " is set, and nobody logs in with it: say by " + option + " who does");
        }
    }

    private BridgeRules rules() throws IOException {
        try {
            return BridgeRules.parse(Files.readAllLines(rules));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(rules + ": " + e.getMessage(), e);
        }
    }

    private URLClassLoader clients(ClassLoader parent) throws IOException {
        List<URL> jars = new ArrayList<>();
        if (clientJars != null) {
            try (Stream<Path> files = Files.list(clientJars)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".jar"))
                        .sorted()
                        .toList()) {
                    jars.add(url(file));
                }
            }
        }
        return new URLClassLoader(jars.toArray(URL[]::new), parent);
    }

    private static URL url(Path file) throws MalformedURLException {
        return file.toUri().toURL();
    }

    private static String withoutPassword(String address, String variable) {
        if (Target.PASSWORD_IN_URL.matcher(address).find()) {
            throw new Failure.Refused(
                    ExitCode.USAGE,
                    "the URL has a password in it, which every user of this machine could read in the list of processes:"
                            + " use " + variable
                            + ", and for that of a store of keys READPAST_JAVA_OPTIONS=@FILE with javax.net.ssl.* in that file");
        }
        return address;
    }

    private Side side(String address, String user, String variable, ClassLoader clients) {
        var factory = BrokerUrl.factory(withoutPassword(address, variable), clients);
        if (factory instanceof ReadpastConnectionFactory readpast) {
            readpast.setSchema(schema);
            readpast.setProperty("createSchema", "false");
        }
        return new Side(factory, user, user == null ? null : System.getenv(variable));
    }

    private int run(Bridge bridge) throws JMSException, SQLException, InterruptedException {
        if (isDry) {
            output.printRows(
                    bridge.preview(),
                    List.of("rule", "messages", "remarks"),
                    preview -> Arrays.asList(preview.rule(), count(preview), remarks(preview)));
            return ExitCode.DONE;
        }
        if (isToCreate) {
            bridge.createTables();
        }
        if (isAfterRestore) {
            bridge.startAfterRestore();
        } else {
            bridge.start();
        }
        Thread ending = new Thread(bridge::close);
        Runtime.getRuntime().addShutdownHook(ending);
        boolean isStopped = watch(bridge);
        if (!ending.isAlive()) {
            Runtime.getRuntime().removeShutdownHook(ending);
        }
        return isStopped ? ExitCode.FAILED : ExitCode.DONE;
    }

    private record Left(String rule, Remaining what) {}

    private int count(BridgeRules read) throws IOException, JMException, SQLException {
        List<Left> all = new ArrayList<>();
        try (JMXConnector connector = connector()) {
            BrokerCounts counts = connector == null ? null : BrokerCounts.by(connector.getMBeanServerConnection());
            for (Rule rule : read.rules()) {
                left(counts, rule.source(), rule.direction() == Direction.OVER)
                        .forEach(remaining -> all.add(new Left(rule.toString(), remaining)));
            }
            for (boolean isFirst : new boolean[] {true, false}) {
                for (Place own : read.ownQueues(isFirst)) {
                    Remainders.ofOwn(left(counts, own, isFirst))
                            .forEach(remaining -> all.add(new Left((isFirst ? "--from " : "--to ") + own, remaining)));
                }
            }
        }
        output.printRows(
                all,
                List.of("rule", "kind", "messages"),
                left -> Arrays.asList(
                        left.rule(), left.what().kind(), left.what().count()));
        return all.stream().allMatch(left -> left.what().isNone()) ? ExitCode.DONE : ExitCode.FOUND;
    }

    private List<Remaining> left(BrokerCounts counts, Place source, boolean isFirst)
            throws IOException, JMException, SQLException {
        String address = withoutPassword(isFirst ? from : to, isFirst ? FROM_PASSWORD : TO_PASSWORD);
        return address.startsWith(READPAST)
                ? onReadpast(source, address.substring(READPAST.length()), isFirst)
                : Remainders.onBroker(counts, source);
    }

    /** Null without an address. */
    private JMXConnector connector() {
        try {
            return jmx == null ? null : JMXConnectorFactory.connect(new JMXServiceURL(jmx), login());
        } catch (MalformedURLException e) {
            throw new Failure.Refused(ExitCode.USAGE, "--broker-jmx: " + e.getMessage());
        } catch (IOException | SecurityException e) {
            throw new Failure.Refused(ExitCode.NO_CONNECTION, "JMX at " + jmx + ": " + e.getMessage());
        }
    }

    private Map<String, ?> login() {
        refuseUnused(JMX_PASSWORD, jmxUser, "--jmx-user");
        return jmxUser == null
                ? Map.of()
                : Map.of(JMXConnector.CREDENTIALS, new String[] {jmxUser, System.getenv(JMX_PASSWORD)});
    }

    private List<Remaining> onReadpast(Place source, String address, boolean isFirst) throws SQLException {
        String url = address.replaceFirst("#.*", "");
        String user = isFirst ? fromUser : toUser;
        String password = System.getenv(isFirst ? FROM_PASSWORD : TO_PASSWORD);
        Properties login = new Properties();
        if (user != null && password != null) {
            login.setProperty("user", user);
            login.setProperty("password", password);
        } else if (user != null) {
            login.setProperty("user", user);
        }
        try (Connection connection = Target.connect(url, login);
                Look look = new Look(connection, schema)) {
            return Remainders.onReadpast(look, source);
        }
    }

    /** Prints how the links are doing. @return whether one of them cannot go on */
    private boolean watch(Bridge bridge) throws InterruptedException {
        Map<String, Long> before = new HashMap<>();
        for (int i = 0; times == null || i < times; i++) {
            Thread.sleep(seconds * 1000L);
            List<LinkStatus> links = bridge.status();
            output.printRows(
                    links,
                    List.of(
                            "rule",
                            "state",
                            "crossed",
                            "a_second",
                            "recognized",
                            "dead_letters",
                            "failures",
                            "last_failure"),
                    link -> Arrays.asList(
                            link.rule(),
                            link.state().name(),
                            link.crossed(),
                            (link.crossed() - before.getOrDefault(link.rule(), 0L)) / seconds,
                            link.recognized(),
                            link.deadLetters(),
                            link.failures(),
                            link.lastFailure()));
            output.out().flush();
            links.forEach(link -> before.put(link.rule(), link.crossed()));
            if (links.stream().anyMatch(link -> link.state() == LinkStatus.State.STOPPED)) {
                return true;
            }
        }
        return false;
    }

    private static String count(Preview preview) {
        return preview.messages() + (preview.areThereMore() ? " and more" : "");
    }

    private static String remarks(Preview preview) {
        return preview.remarks().entrySet().stream()
                .map(remark -> remark.getValue() + " " + remark.getKey())
                .sorted()
                .reduce((one, other) -> one + "; " + other)
                .orElse("");
    }
}
