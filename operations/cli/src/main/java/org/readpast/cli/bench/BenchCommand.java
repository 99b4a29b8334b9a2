package org.readpast.cli.bench;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Failure;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Product;
import org.readpast.operations.snapshot.Facts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How fast this database is from here. */
@Command(
        name = "bench",
        description =
                "Measures how many messages a second this machine sends to the database and receives from it, in a queue of its own that it"
                        + " removes afterwards. It loads the database: not while others need it.",
        mixinStandardHelpOptions = true)
public final class BenchCommand implements Callable<Integer> {

    private static final int NANOS_PER_MICRO = 1000;
    private static final long WAIT_MILLIS = 30_000;
    private static final int PLANNED_SESSIONS = 16;
    private static final double WORTHWHILE = 1.1;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Option(
            names = "--messages",
            defaultValue = "1000",
            description = "So many in each row. Default: ${DEFAULT-VALUE}.")
    private int messages;

    @Option(
            names = "--size",
            defaultValue = "1000",
            description = "Characters of text in each message. Default: ${DEFAULT-VALUE}.")
    private int size;

    @Option(
            names = "--sessions",
            description =
                    "So many sessions at once, each with a thread of its own. Default: 1. With --plan the most that are tried on"
                            + " either side. Default: 16.")
    private Integer wantedSessions;

    @Option(
            names = "--batch",
            defaultValue = "100",
            description = "Messages in each transaction of the rows with transactions. Default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(
            names = "--plan",
            paramLabel = "RATE",
            description =
                    "Says in words whether this database carries so many messages a second, each sent and received once. For about a"
                            + " minute more and more sessions send and receive at once, as long as that carries more.")
    private Integer plan;

    @Option(
            names = "--seconds",
            defaultValue = "5",
            description = "With --plan, how long each number of sessions is tried. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    private int sessions;

    /** Whether there may be a queue of ours. */
    private volatile boolean isLeft;

    /**
     * What was measured.
     *
     * @param median in milliseconds, of each send, receive or transaction
     * @param p99 likewise
     */
    private record Measured(String what, int messages, double seconds, double perSecond, double median, double p99) {

        static Measured of(String what, int messages, long nanos, long[] micros) {
            return new Measured(
                    what,
                    messages,
                    Math.round(nanos / 1e6) / 1e3,
                    Math.round(messages / (nanos / 1e10)) / 10.0,
                    millis(micros, 0.5),
                    millis(micros, 0.99));
        }

        private static double millis(long[] sorted, double part) {
            return sorted[(int) Math.ceil(sorted.length * part) - 1] / 1e3;
        }
    }

    /** One message, by a session of its own. */
    private interface Step {
        void take() throws JMSException;
    }

    /** What a session does over and over. */
    private interface Steps {
        Step of(Session session) throws JMSException;
    }

    @Override
    public Integer call() throws Exception {
        sessions = wantedSessions != null ? wantedSessions : plan == null ? 1 : PLANNED_SESSIONS;
        if (messages < 1 || size < 0 || sessions < 1 || batch < 1 || seconds < 1 || (plan != null && plan < 1)) {
            throw new IllegalArgumentException(
                    "--messages, --sessions, --batch, --seconds and --plan are 1 or more, --size is 0 or more");
        }
        String database;
        String durable;
        try (java.sql.Connection connection = target.connect()) {
            database = connection.getMetaData().getDatabaseProductName() + " "
                    + connection
                            .getMetaData()
                            .getDatabaseProductVersion()
                            .lines()
                            .findFirst()
                            .orElse("");
            durable = Product.of(connection) == Product.H2 && target.url().startsWith("jdbc:h2:mem:")
                    ? "no: the database is in memory"
                    : null;
        }
        if (durable == null) {
            durable = durable();
        }
        String name = "readpast-bench-" + UUID.randomUUID();
        begin(name);
        List<Measured> measured = new ArrayList<>();
        Plan answer = null;
        try (ReadpastConnectionFactory factory = target.factory(true)) {
            // So that the pool ends when the factory is closed, which waits for it, and not behind its back.
            factory.setProperty("idleCloseMillis", "60000");
            factory.setProperty("poolSize", Integer.toString(2 * sessions + 2));
            if (plan == null) {
                measure(factory, name, measured);
            } else {
                answer = plan(factory, name);
            }
        } finally {
            drop(name);
        }
        if (answer != null) {
            print(about(database, durable), answer);
            return answer.databases() == 1 ? ExitCode.DONE : ExitCode.FOUND;
        }
        print(about(database, durable), measured);
        return ExitCode.DONE;
    }

    /** Names the queue, and again where this process is told to end (SIGTERM, Ctrl-C) before it has been removed. */
    private void begin(String name) {
        output.err().println("Works in the queue " + name + ", which is removed at the end");
        isLeft = true;
        Thread interrupted = new Thread(
                () -> {
                    if (isLeft) {
                        output.err()
                                .println("The queue " + name + " is left. readpast purge " + name
                                        + " empties it, readpast drop " + name + " removes it");
                    }
                },
                "readpast interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
    }

    /** Doubles the sessions while that carries at least a tenth more. */
    private Plan plan(ReadpastConnectionFactory factory, String name) throws Exception {
        List<Load.Measured> measured = new ArrayList<>();
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Load load = new Load(connection, name, size, seconds);
            // The first second is the compiler's.
            new Load(connection, name, size, 1).measure(1, 1);
            for (int together : batch > 1 ? List.of(1, batch) : List.of(1)) {
                long before = 0;
                for (int tried = 1; tried <= sessions; tried *= 2) {
                    output.err()
                            .println("Trying " + tried + (tried == 1 ? " session" : " sessions") + " on either side, "
                                    + (together == 1 ? "one by one" : together + " messages in a transaction"));
                    output.err().flush();
                    Load.Measured row = load.measure(tried, together);
                    measured.add(row);
                    if (row.perSecond() < before * WORTHWHILE) {
                        break;
                    }
                    before = row.perSecond();
                }
            }
        }
        return new Plan(plan, measured);
    }

    /** Whether what is committed outlives a crash of the server, as far as its settings say. */
    private String durable() throws Exception {
        var weak = target.look(Facts::weakDurability);
        return !weak.isKnown() ? "not known" : weak.rows().isEmpty() ? "yes" : "no: " + String.join(", ", weak.rows());
    }

    /** After what went wrong too, which is then to be told, and not that this did. */
    private void drop(String name) throws Exception {
        boolean isGone;
        try {
            isGone = target.administer(administration -> administration.dropQueue(name));
        } catch (SQLException e) {
            isGone = Failure.of(e).code() == ExitCode.NOT_THERE;
        }
        isLeft = false;
        if (!isGone) {
            output.err().println("The queue " + name + " could not be removed: if it is there, purge and drop it");
        }
    }

    private void measure(ReadpastConnectionFactory factory, String name, List<Measured> measured) throws Exception {
        String text = "x".repeat(size);
        try (Connection connection = factory.createConnection()) {
            connection.start();
            for (int together : batch > 1 ? List.of(1, batch) : List.of(1)) {
                String how = together == 1 ? "one by one" : together + " in a transaction";
                measured.add(measure("send " + how, connection, together, session -> sending(session, name, text)));
                measured.add(measure("receive " + how, connection, together, session -> receiving(session, name)));
            }
        }
    }

    private static Step sending(Session session, String name, String text) throws JMSException {
        Queue queue = session.createQueue(name);
        MessageProducer producer = session.createProducer(queue);
        TextMessage message = session.createTextMessage(text);
        return () -> producer.send(message);
    }

    private static Step receiving(Session session, String name) throws JMSException {
        MessageConsumer consumer = session.createConsumer(session.createQueue(name));
        return () -> {
            if (consumer.receive(WAIT_MILLIS) == null) {
                throw new JMSException("A message that was sent did not come within " + WAIT_MILLIS / 1000 + " s");
            }
        };
    }

    private Measured measure(String what, Connection connection, int together, Steps steps) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(sessions);
        try {
            List<Callable<long[]>> work = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                int share = messages / sessions + (i < messages % sessions ? 1 : 0);
                Session session = connection.createSession(
                        together > 1, together > 1 ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
                Step step = steps.of(session);
                work.add(() -> run(session, step, share, together));
            }
            long begin = System.nanoTime();
            List<Future<long[]>> ended = threads.invokeAll(work);
            long nanos = System.nanoTime() - begin;
            List<long[]> times = new ArrayList<>();
            for (Future<long[]> one : ended) {
                times.add(one.get());
            }
            long[] sorted =
                    times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            return Measured.of(what, messages, nanos, sorted);
        } finally {
            threads.shutdownNow();
        }
    }

    private static long[] run(Session session, Step step, int share, int together) throws JMSException {
        long[] micros = new long[(share + together - 1) / together];
        for (int i = 0; i < micros.length; i++) {
            long begin = System.nanoTime();
            int here = Math.min(together, share - i * together);
            for (int j = 0; j < here; j++) {
                step.take();
            }
            if (together > 1) {
                session.commit();
            }
            micros[i] = (System.nanoTime() - begin) / NANOS_PER_MICRO;
        }
        session.close();
        return micros;
    }

    private Map<String, Object> about(String database, String durable) {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("database", database);
        about.put("durable", durable);
        about.put("sessions", sessions);
        about.put("size", size);
        return about;
    }

    private void print(Map<String, Object> about, Plan answer) {
        if (output.isJson()) {
            about.put(
                    "measured",
                    answer.measured().stream().map(BenchCommand::object).toList());
            about.put("planned", answer.rate());
            about.put("databases", answer.databases());
            about.put("words", answer.words());
            output.json(about);
            return;
        }
        about.forEach((key, value) -> output.out().printf("%-9s %s%n", key, value));
        output.printRows(
                answer.measured(),
                List.of("in a transaction", "sessions", "per second", "busy %"),
                row -> List.of(row.together(), row.sessions(), row.perSecond(), row.busyPercent()));
        answer.words().forEach(output.out()::println);
    }

    private static Map<String, Object> object(Load.Measured row) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("together", row.together());
        object.put("sessions", row.sessions());
        object.put("per_second", row.perSecond());
        object.put("busy_percent", row.busyPercent());
        return object;
    }

    private void print(Map<String, Object> about, List<Measured> measured) {
        if (output.isJson()) {
            about.put("measured", measured.stream().map(row -> object(row)).toList());
            output.json(about);
            return;
        }
        about.forEach((key, value) -> output.out().printf("%-9s %s%n", key, value));
        output.printRows(
                measured,
                List.of("what", "messages", "seconds", "per second", "median ms", "p99 ms"),
                row -> List.of(row.what(), row.messages(), row.seconds(), row.perSecond(), row.median(), row.p99()));
    }

    private static Map<String, Object> object(Measured row) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("what", row.what());
        object.put("messages", row.messages());
        object.put("seconds", row.seconds());
        object.put("per_second", row.perSecond());
        object.put("median_ms", row.median());
        object.put("p99_ms", row.p99());
        return object;
    }
}
