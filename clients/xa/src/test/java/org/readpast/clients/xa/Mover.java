package org.readpast.clients.xa;

import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.transaction.xa.XAResource;
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

    /** Arguments: the transaction manager, the step or RECOVER, the URLs of messages and of rows, the log, the node. */
    public static void main(String[] arguments) throws Exception {
        Coordinator.Product product = Coordinator.Product.valueOf(arguments[0]);
        Path log = Path.of(arguments[4]);
        String node = arguments[5];
        PGXADataSource source = new PGXADataSource();
        source.setUrl(arguments[3]);
        javax.sql.XAConnection rows = source.getXAConnection();
        try (ReadpastXAConnectionFactory factory = new ReadpastXAConnectionFactory(arguments[2]);
                XAConnection connection = factory.createXAConnection();
                XASession session = connection.createXASession()) {
            List<XAResource> resources = List.of(session.getXAResource(), rows.getXAResource());
            if (arguments[1].equals("RECOVER")) {
                product.start(log, node, resources).recover();
            } else {
                Step step = Step.valueOf(arguments[1]);
                List<XAResource> dying = resources.stream().map(step::in).toList();
                connection.start();
                warmUp(connection, rows);
                move(product.start(log, node, dying).manager(), dying, session, rows);
            }
        } finally {
            rows.close();
        }
    }

    /** A transaction manager gives a transaction ten seconds: what the first use of anything takes is no part of it. */
    private static void warmUp(XAConnection connection, javax.sql.XAConnection rows) throws Exception {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            Queue queue = session.createQueue("warm");
            session.createProducer(queue).send(session.createTextMessage("coffee"));
            session.createConsumer(queue).receiveNoWait();
            session.rollback();
        }
        try (java.sql.Connection sql = rows.getConnection();
                Statement statement = sql.createStatement()) {
            sql.setAutoCommit(false);
            insert(statement);
            sql.rollback();
        }
    }

    private static void insert(Statement statement) throws SQLException {
        statement.executeUpdate("INSERT INTO shop_order VALUES ('coffee')");
    }

    private static void move(
            TransactionManager manager, List<XAResource> resources, XASession session, javax.sql.XAConnection rows)
            throws Exception {
        MessageConsumer consumer = session.createConsumer(session.createQueue("in"));
        manager.begin();
        for (XAResource resource : resources) {
            manager.getTransaction().enlistResource(resource);
        }
        Message message = consumer.receive(PATIENCE_MILLIS);
        try (java.sql.Connection sql = rows.getConnection();
                Statement statement = sql.createStatement()) {
            insert(statement);
        }
        session.createProducer(session.createQueue("out")).send(message);
        manager.commit();
    }
}
