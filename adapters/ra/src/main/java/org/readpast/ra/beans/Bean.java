package org.readpast.ra.beans;

import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;

/** A message-driven bean as it is deployed, and how it fares. Thread-safe. */
final class Bean {

    static final Method ON_MESSAGE;

    /** Tells apart beans of one name that have one destination. */
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    static {
        try {
            ON_MESSAGE = MessageListener.class.getMethod("onMessage", Message.class);
        } catch (NoSuchMethodException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Host host;
    private final MessageEndpointFactory endpoints;
    private final Subscription subscription;
    private final boolean transacted;
    private final Outage outage;
    private final Deliveries deliveries;
    private final ObjectName mbean;

    /** @throws ResourceException if it has container transactions that its database cannot take part in, or is no MessageListener */
    Bean(Host host, MessageEndpointFactory endpoints, Subscription subscription) throws ResourceException {
        this.host = host;
        this.endpoints = endpoints;
        this.subscription = subscription;
        try {
            this.transacted = endpoints.isDeliveryTransacted(ON_MESSAGE);
        } catch (NoSuchMethodException e) {
            throw new ResourceException("The message-driven bean is no MessageListener", e);
        }
        if (transacted && !subscription.database().isJoined()) {
            throw new ResourceException("The message-driven bean has container transactions, and its messages are in "
                    + subscription.database()
                    + ", which cannot take part in them. Set 'dataSource' to the JNDI name of the container's DataSource, which may"
                    + " be an XA DataSource, or let the bean have none (NOT_SUPPORTED)");
        }
        this.outage = new Outage(toString());
        this.deliveries = new Deliveries(subscription.toleratedFailures());
        try {
            this.mbean = new ObjectName("org.readpast.ra:type=MessageDrivenBean,destination="
                    + ObjectName.quote(subscription.destination().toString()) + ",bean=" + ObjectName.quote(name())
                    + ",number=" + NUMBERS.incrementAndGet());
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    Host host() {
        return host;
    }

    MessageEndpointFactory endpoints() {
        return endpoints;
    }

    /** What it receives. */
    Subscription subscription() {
        return subscription;
    }

    /** Whether each message is delivered in a transaction of the container's. */
    boolean isTransacted() {
        return transacted;
    }

    Outage outage() {
        return outage;
    }

    Deliveries deliveries() {
        return deliveries;
    }

    /** What JMX knows it by. */
    ObjectName mbean() {
        return mbean;
    }

    /** Empty where the server's API is Connectors 1.6, as TomEE 8's is, which does not tell. */
    String name() {
        try {
            return endpoints.getEndpointClass().getSimpleName();
        } catch (IncompatibleClassChangeError e) {
            return "";
        }
    }

    /** For errors and logs. */
    @Override
    public String toString() {
        String name = name();
        return "Message-driven bean " + (name.isEmpty() ? "" : name + " ") + "of " + subscription.destination();
    }
}
