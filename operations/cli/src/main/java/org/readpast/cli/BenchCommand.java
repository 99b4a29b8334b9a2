package org.readpast.cli;

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
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.Product;
import org.readpast.operations.Snapshot;
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
final class BenchCommand implements Callable<Integer> {

    private static final int NANOS_PER_MICRO = 1000;
    private static final long WAIT_MILLIS = 30_000;

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
            defaultValue = "1",
            description = "So many sessions at once, each with a thread of its own. Default: ${DEFAULT-VALUE}.")
    private int sessions;

    @Option(
            names = "--batch",
            defaultValue = "100",
            description = "Messages in each transaction of the rows with transactions. Default: ${DEFAULT-VALUE}.")
    private int batch;

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
        if (messages < 1 || size < 0 || sessions < 1 || batch < 1) {
            throw new IllegalArgumentException("--messages, --sessions and --batch are 1 or more, --size is 0 or more");
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
        List<Measured> measured = new ArrayList<>();
        try (ReadpastConnectionFactory factory = target.factory(true)) {
            // So that the pool ends when the factory is closed, which waits for it, and not behind its back.
            factory.setProperty("idleCloseMillis", "60000");
            factory.setProperty("poolSize", Integer.toString(2 * sessions + 2));
            measure(factory, name, measured);
        } finally {
            drop(name);
        }
        print(database, durable, measured);
        return ExitCode.DONE;
    }

    /** Whether what is committed outlives a crash of the server, as far as its settings say. */
    private String durable() throws Exception {
        var weak = target.look(Snapshot::weakDurability);
        return !weak.isKnown() ? "not known" : weak.rows().isEmpty() ? "yes" : "no: " + String.join(", ", weak.rows());
    }

    /** After what went wrong too, which is then to be told, and not that this did. */
    private void drop(String name) throws Exception {
        boolean isGone;
        try {
            isGone = target.repair(repair -> repair.dropQueue(name));
        } catch (SQLException e) {
            isGone = false;
        }
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

    private void print(String database, String durable, List<Measured> measured) {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("database", database);
        about.put("durable", durable);
        about.put("sessions", sessions);
        about.put("size", size);
        if (output.isJson()) {
            about.put("measured", measured.stream().map(BenchCommand::object).toList());
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
