package org.readpast.examples;

import jakarta.jms.JMSContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import org.h2.jdbcx.JdbcConnectionPool;
import org.readpast.jms.ReadpastConnectionFactory;

/** The application has a SQL transaction of its own, and sends within it: the message is there when that commits, or never. */
public final class JoinedTransaction {

    private JoinedTransaction() {}

    /** Stores one order and its message, and drops another with its message. */
    public static void main(String[] arguments) throws Exception {
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:joined;DB_CLOSE_DELAY=-1", "sa", "");
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(pool);
        try (Connection sql = pool.getConnection();
                Statement statement = sql.createStatement()) {
            statement.execute("CREATE TABLE shop_order (order_id INT PRIMARY KEY)");
            sql.setAutoCommit(false);
            order(factory, sql, 1);
            sql.commit();
            order(factory, sql, 2);
            sql.rollback();
            sql.setAutoCommit(true);
        }
        try (JMSContext context = factory.createContext()) {
            var consumer = context.createConsumer(context.createQueue("orders"));
            System.out.println("received: " + consumer.receiveBody(String.class, 5_000));
            System.out.println("and nothing more: " + consumer.receiveNoWait());
        }
    }

    private static void order(ReadpastConnectionFactory factory, Connection sql, int id) throws Exception {
        try (PreparedStatement insert = sql.prepareStatement("INSERT INTO shop_order VALUES (?)")) {
            insert.setInt(1, id);
            insert.executeUpdate();
        }
        try (JMSContext context = factory.createContext(sql)) {
            context.createProducer().send(context.createQueue("orders"), "order " + id);
        }
    }
}
