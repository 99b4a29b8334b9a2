package org.readpast.bridge;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.Objects;

/**
 * One of the two sides of a bridge, and who logs in there.
 *
 * @param factory makes the connections
 * @param user null for the factory's own
 * @param password null for none
 */
public record Side(ConnectionFactory factory, String user, String password) {

    /** */
    public Side {
        Objects.requireNonNull(factory);
    }

    /** A side whose factory knows who logs in. */
    public static Side of(ConnectionFactory factory) {
        return new Side(factory, null, null);
    }

    Connection connect() throws JMSException {
        return user == null ? factory.createConnection() : factory.createConnection(user, password);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "Side[" + factory.getClass().getName() + (user == null ? "" : ", user " + user) + "]";
    }
}
