package org.readpast.clients.narayana;

import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.Statement;
import org.postgresql.xa.PGXADataSource;
import org.readpast.jms.ReadpastXAConnectionFactory;

/**
 * A program that moves a message from one queue to another, writes a row into another database with it, and dies at a step of the
 * transaction; or one that ends what such a program has left, without doing any work of its own.
 */
final class Mover {

    /** How a JVM ends that dies at its step. */
    static final int HALTED = 3;

    private static final long PATIENCE_MILLIS = 30_000;

    private Mover() {}

    /** Arguments: the step or RECOVER, the URLs of messages and of rows, the log, the node. */
    public static void main(String[] arguments) throws Exception {
        TransactionManager manager = Coordinator.of(Path.of(arguments[3]), arguments[4]);
        PGXADataSource source = new PGXADataSource();
        source.setUrl(arguments[2]);
        javax.sql.XAConnection rows = source.getXAConnection();
        try (ReadpastXAConnectionFactory factory = new ReadpastXAConnectionFactory(arguments[1]);
                XAConnection connection = factory.createXAConnection();
                XASession session = connection.createXASession()) {
            if (arguments[0].equals("RECOVER")) {
                Coordinator.recover(session.getXAResource(), rows.getXAResource());
            } else {
                connection.start();
                move(manager, Step.valueOf(arguments[0]), session, rows);
            }
        } finally {
            rows.close();
        }
    }

    private static void move(TransactionManager manager, Step step, XASession session, javax.sql.XAConnection rows)
            throws Exception {
        MessageConsumer consumer = session.createConsumer(session.createQueue("in"));
        manager.begin();
        manager.getTransaction().enlistResource(step.in(session.getXAResource()));
        manager.getTransaction().enlistResource(step.in(rows.getXAResource()));
        Message message = consumer.receive(PATIENCE_MILLIS);
        try (java.sql.Connection sql = rows.getConnection();
                Statement statement = sql.createStatement()) {
            statement.executeUpdate("INSERT INTO shop_order VALUES ('coffee')");
        }
        session.createProducer(session.createQueue("out")).send(message);
        manager.commit();
    }
}
