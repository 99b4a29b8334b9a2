package org.readpast.jms.tck.crash;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ServerSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/**
 * Consumes, reporting each message with its delivery count, and halts as soon as it has one with the text "poison": without an
 * exception, a rollback or a shutdown hook. Shuts down cleanly after "last", or when it is told to.
 */
final class Victim {

    static final int HALTED = 13;

    private static final String H2_FILE = "jdbc:h2:file:";
    private static final String SUFFIX = ".mv.db";

    private final String url;
    private final Manner manner;
    private final Parent parent;
    private final CountDownLatch end = new CountDownLatch(1);

    private Victim(String url, Manner manner, Parent parent) {
        this.url = url;
        this.manner = manner;
        this.parent = parent;
    }

    /** How it consumes, and thus where it halts. */
    enum Manner {
        AUTO(Session.AUTO_ACKNOWLEDGE),
        DUPS_OK(Session.DUPS_OK_ACKNOWLEDGE),
        CLIENT(Session.CLIENT_ACKNOWLEDGE),
        TRANSACTED(Session.SESSION_TRANSACTED),
        RECEIVE_CLIENT(Session.CLIENT_ACKNOWLEDGE),
        RECEIVE_TRANSACTED(Session.SESSION_TRANSACTED),
        SERVER_SESSION(Session.AUTO_ACKNOWLEDGE),
        SUBSCRIPTION(Session.AUTO_ACKNOWLEDGE),
        SELECTOR(Session.AUTO_ACKNOWLEDGE),
        GROUP(Session.AUTO_ACKNOWLEDGE);

        private final int mode;

        Manner(int mode) {
            this.mode = mode;
        }
    }

    /** @param arguments URL, queue or topic, manner */
    public static void main(String[] arguments) throws Exception {
        Victim victim = new Victim(arguments[0], Manner.valueOf(arguments[2]), Parent.listen());
        Thread listening = new Thread(victim::awaitEnd);
        listening.setDaemon(true);
        listening.start();
        try (Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection()) {
            victim.consume(connection, connection.createSession(victim.manner.mode), arguments[1]);
        }
    }

    private void awaitEnd() {
        try {
            parent.await("end");
            end.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void consume(Connection connection, Session session, String name) throws Exception {
        switch (manner) {
            case RECEIVE_CLIENT, RECEIVE_TRANSACTED -> {
                MessageConsumer consumer = session.createConsumer(session.createQueue(name));
                connection.start();
                while (end.getCount() > 0) {
                    Message message = consumer.receive(100);
                    if (message != null) {
                        handle(session, message);
                    }
                }
            }
            case SERVER_SESSION -> {
                session.setMessageListener(message -> handle(session, message));
                ConnectionConsumer consumer = connection.createConnectionConsumer(
                        session.createQueue(name), null, () -> new Direct(session), 5);
                connection.start();
                end.await();
                consumer.close();
            }
            case SUBSCRIPTION ->
                listen(connection, session, session.createSharedDurableConsumer(session.createTopic(name), name));
            case SELECTOR ->
                listen(connection, session, session.createConsumer(session.createQueue(name), "kind = 'any'"));
            default -> listen(connection, session, session.createConsumer(session.createQueue(name)));
        }
    }

    private void listen(Connection connection, Session session, MessageConsumer consumer) throws Exception {
        consumer.setMessageListener(message -> handle(session, message));
        connection.start();
        end.await();
    }

    private void handle(Session session, Message message) {
        try {
            String text = ((TextMessage) message).getText();
            Parent.report("took " + text + " " + message.getIntProperty("JMSXDeliveryCount")
                    + (message.getJMSRedelivered() ? " again" : ""));
            if (text.equals("poison")) {
                awaitWritten();
                Runtime.getRuntime().halt(HALTED);
            }
            if (manner.mode == Session.CLIENT_ACKNOWLEDGE) {
                message.acknowledge();
            } else if (manner.mode == Session.SESSION_TRANSACTED) {
                session.commit();
            }
            if (text.equals("last")) {
                end.countDown();
            }
        } catch (JMSException | SQLException | IOException problem) {
            Parent.report("problem " + problem);
        }
    }

    /**
     * H2 writes a commit into its file on another thread, a moment later. What is counted is tested here, not that: H2 is told to write until a
     * copy of the file has what the database has, which may change meanwhile: what the JVM before left is cleared away behind the first
     * delivery. To tell it once is not enough on a busy machine.
     */
    private void awaitWritten() throws SQLException, IOException {
        if (!url.contains(H2_FILE)) {
            return;
        }
        String file = url.substring(url.indexOf(H2_FILE) + H2_FILE.length(), url.indexOf(';'));
        String copy = file + ".copy";
        do {
            write(file);
            Files.copy(Path.of(file + SUFFIX), Path.of(copy + SUFFIX), StandardCopyOption.REPLACE_EXISTING);
        } while (!isCounted(counted(file), copy));
    }

    private static void write(String file) throws SQLException {
        try (java.sql.Connection database = DriverManager.getConnection(H2_FILE + file, "sa", "sa");
                Statement statement = database.createStatement()) {
            statement.execute("CHECKPOINT SYNC");
        }
    }

    /** What there is to count by, in a database that is open in this JVM. */
    private static String counted(String file) throws SQLException {
        try (java.sql.Connection database = DriverManager.getConnection(H2_FILE + file, "sa", "sa");
                Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery("SELECT (SELECT COUNT(*) FROM readpast.presence) || ' '"
                        + " || (SELECT COUNT(*) FROM readpast.consumed_destination) || ' '"
                        + " || (SELECT COUNT(*) FROM readpast.message) || ' '"
                        + " || (SELECT COUNT(*) FROM readpast.suspect_mark) || ' '"
                        + " || (SELECT COALESCE(SUM(deliveries), 0) FROM readpast.suspect_delivery)")) {
            row.next();
            return row.getString(1);
        }
    }

    private static boolean isCounted(String here, String copy) {
        try {
            return counted(copy).equals(here);
        } catch (SQLException tornCopy) {
            return false;
        }
    }

    /** Runs its session on the thread that starts it. */
    private record Direct(Session session) implements ServerSession {

        @Override
        public Session getSession() {
            return session;
        }

        @Override
        public void start() {
            session.run();
        }
    }
}
