package org.readpast.ra;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.resource.spi.ResourceAdapter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.config.Nearest;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.selector.SelectorSyntaxException;
import org.readpast.ra.beans.Subscription;
import org.readpast.ra.database.MessageDatabase;

/**
 * What a message-driven bean is to receive: the standard activation properties (Jakarta Messaging 13.1), where its messages are, and how many
 * are delivered side by side. All are text, so that a wrong value is told by {@link #validate} and not by a conversion. Set before use, and
 * not thread-safe until then.
 */
public class ReadpastActivationSpec extends ForeignProperties implements ActivationSpec {

    private static final long serialVersionUID = 1L;

    private static final int MOST_SESSIONS = 1_000;
    private static final String QUEUE = "jakarta.jms.Queue";
    private static final String TOPIC = "jakarta.jms.Topic";
    private static final String DURABLE = "Durable";
    private static final String NON_DURABLE = "NonDurable";

    private transient ReadpastResourceAdapter adapter;
    private String destination;
    private String destinationType;
    private String destinationLookup;
    private String connectionFactoryLookup;
    private String messageSelector;
    private String acknowledgeMode = "Auto-acknowledge";
    private String subscriptionDurability = NON_DURABLE;
    private String subscriptionName;
    private String clientId;
    private String shareSubscriptions = "false";
    private String maxSession;
    private String maxSequentialDeliveryFailures;
    private String useJNDI = "false";

    @Override
    public void setResourceAdapter(ResourceAdapter resourceAdapter) throws ResourceException {
        adapter = ReadpastResourceAdapter.of(resourceAdapter);
    }

    @Override
    public ReadpastResourceAdapter getResourceAdapter() {
        return adapter;
    }

    /**
     * Throws for the first property that is wrong, with its name, its value and the nearest valid one.
     *
     * @throws InvalidPropertyException always that
     */
    @Override
    public void validate() throws InvalidPropertyException {
        if (refusal() != null) {
            throw new InvalidPropertyException(refusal());
        }
        checkDestination();
        oneOf("acknowledgeMode", acknowledgeMode, "Auto-acknowledge", "Dups-ok-acknowledge");
        oneOf("subscriptionDurability", subscriptionDurability, DURABLE, NON_DURABLE);
        oneOf("shareSubscriptions", shareSubscriptions, "true", "false");
        oneOf("useJNDI", useJNDI, "true", "false");
        checkSelector();
        checkSubscription();
        sessions();
        toleratedFailures();
        if (connectionFactoryLookup != null && isDatabaseNamed()) {
            throw new InvalidPropertyException(
                    "Both 'connectionFactoryLookup' ('" + connectionFactoryLookup + "') and '"
                            + (getUrl() != null ? "url" : "dataSource")
                            + "' are set, and each says where the messages are; set one of them");
        }
        // Some servers validate before they say to which adapter this belongs, and by what that knows.
        if (connectionFactoryLookup == null && (adapter != null || isDatabaseNamed())) {
            ownDatabase();
        }
    }

    private MessageDatabase ownDatabase() throws InvalidPropertyException {
        try {
            return database(adapter);
        } catch (IllegalArgumentException e) {
            throw new InvalidPropertyException(e.getMessage(), e);
        }
    }

    private void checkDestination() throws InvalidPropertyException {
        if (destination == null && destinationLookup == null) {
            throw new InvalidPropertyException(
                    "Neither 'destinationLookup' nor 'destination' is set: set the JNDI name or the name of a queue or topic");
        }
        if (destination != null && destinationLookup != null && !isFound()) {
            throw new InvalidPropertyException("Both 'destinationLookup' ('" + destinationLookup
                    + "') and 'destination' ('" + destination + "') are set; set one of them");
        }
        if (destinationType != null) {
            oneOf("destinationType", destinationType, QUEUE, TOPIC);
        } else if (!isLookedUp()) {
            throw new InvalidPropertyException("Property 'destinationType' is not set, and 'destination' ('"
                    + destination + "') does not tell; set it to " + QUEUE + " or " + TOPIC);
        }
        if (!isLookedUp()) {
            named(destination, TOPIC.equals(destinationType));
        }
    }

    /** Whoever connects would take it for an outage. */
    private void checkSelector() throws InvalidPropertyException {
        try {
            Selector.parse(messageSelector);
        } catch (SelectorSyntaxException e) {
            throw new InvalidPropertyException(
                    "Property 'messageSelector' is '" + Shown.inOneLine(messageSelector) + "': " + e.getMessage(), e);
        }
    }

    private void checkSubscription() throws InvalidPropertyException {
        boolean durable = isDurable();
        boolean shared = isShared();
        if (QUEUE.equals(destinationType)) {
            refuseSubscription("'destinationType' is a queue");
        }
        if ((durable || shared) && subscriptionName == null) {
            throw new InvalidPropertyException("Property 'subscriptionName' is not set, which a "
                    + (durable ? "durable" : "shared") + " subscription needs");
        }
        if (durable && !shared && clientId == null) {
            throw new InvalidPropertyException(
                    "Property 'clientId' is not set, which a durable subscription that is not shared needs; set it, or"
                            + " 'shareSubscriptions' to 'true'");
        }
    }

    private void refuseSubscription(String why) throws InvalidPropertyException {
        String property = isDurable() ? "subscriptionDurability' is 'Durable" : "shareSubscriptions' is 'true";
        if (isDurable() || isShared()) {
            throw new InvalidPropertyException("Property '" + property + "', but " + why + "; leave it out");
        }
    }

    private static void oneOf(String name, String value, String... valid) throws InvalidPropertyException {
        if (!List.of(valid).contains(value)) {
            throw new InvalidPropertyException("Property '" + name + "' is '" + value + "'; it is one of "
                    + String.join(", ", valid) + ". The nearest is '" + Nearest.to(value, List.of(valid)) + "'");
        }
    }

    /** How many messages are delivered side by side. */
    private int sessions() throws InvalidPropertyException {
        int sessions = 10;
        if (maxSession != null) {
            try {
                sessions = Integer.parseInt(maxSession);
            } catch (NumberFormatException e) {
                throw new InvalidPropertyException(
                        "Property 'maxSession' is '" + maxSession + "', which is no number; the nearest valid one is 1",
                        e);
            }
            if (sessions < 1 || sessions > MOST_SESSIONS) {
                throw new InvalidPropertyException("Property 'maxSession' is '" + maxSession
                        + "'; the nearest valid one is " + (sessions < 1 ? 1 : MOST_SESSIONS));
            }
        }
        return sessions;
    }

    /** After how many failures in a row the next one pauses the bean; -1 for never. */
    private int toleratedFailures() throws InvalidPropertyException {
        if (maxSequentialDeliveryFailures == null) {
            return -1;
        }
        try {
            return Math.max(-1, Integer.parseInt(maxSequentialDeliveryFailures));
        } catch (NumberFormatException e) {
            throw new InvalidPropertyException(
                    "Property 'maxSequentialDeliveryFailures' is '" + maxSequentialDeliveryFailures
                            + "', which is no number; the nearest valid one is -1, with which the bean is never paused",
                    e);
        }
    }

    private boolean isDurable() {
        return DURABLE.equals(subscriptionDurability);
    }

    private boolean isShared() {
        return "true".equals(shareSubscriptions);
    }

    /** Open Liberty looks a destination up by itself, and sets what it has found beside the name. */
    private boolean isFound() {
        return destination != null && (destination.startsWith("queue://") || destination.startsWith("topic://"));
    }

    private boolean isLookedUp() {
        return destinationLookup != null
                || (destination != null && (destination.startsWith("java:") || "true".equals(useJNDI)));
    }

    /**
     * What these properties mean. To be called where the names of the application are to be found.
     *
     * @throws ResourceException if they are wrong, or name what is not in JNDI
     */
    Subscription subscription() throws ResourceException {
        validate();
        ReadpastDestination target = isLookedUp() ? lookedUp() : named(destination, TOPIC.equals(destinationType));
        boolean topic = target instanceof Topic;
        if (destinationType != null && topic != TOPIC.equals(destinationType)) {
            throw new InvalidPropertyException("Property 'destinationType' is '" + destinationType + "', but " + target
                    + " is what was found in JNDI; the nearest valid one is '" + (topic ? TOPIC : QUEUE) + "'");
        }
        if (!topic) {
            refuseSubscription(target + " is what was found in JNDI");
        }
        // A subscription that is not shared has one consumer, and each of several that are not durable would get all
        // messages.
        int sessions = topic && !isShared() ? 1 : sessions();
        return new Subscription(
                database(),
                target,
                messageSelector,
                clientId,
                isDurable() || isShared() ? subscriptionName : null,
                isDurable(),
                isShared(),
                sessions,
                toleratedFailures());
    }

    private MessageDatabase database() throws ResourceException {
        if (connectionFactoryLookup == null) {
            return ownDatabase();
        }
        return lookUp(
                        "connectionFactoryLookup",
                        connectionFactoryLookup,
                        ContainerConnectionFactory.class,
                        "connection factory of this resource adapter; set it to the name of one, or leave it out, and the"
                                + " messages are where the adapter says")
                .managed()
                .database(null, null);
    }

    private ReadpastDestination lookedUp() throws ResourceException {
        String name = destinationLookup != null ? destinationLookup : destination;
        String property = destinationLookup != null ? "destinationLookup" : "destination";
        return single(ours(lookUp(property, name, Destination.class, "queue or topic")), property, name);
    }

    private static ReadpastDestination named(String name, boolean topic) throws InvalidPropertyException {
        try {
            return single(topic ? new ReadpastTopic(name) : new ReadpastQueue(name), "destination", name);
        } catch (IllegalArgumentException e) {
            throw new InvalidPropertyException("Property 'destination' is '" + name + "': " + e.getMessage(), e);
        }
    }

    private static ReadpastDestination single(ReadpastDestination found, String property, String value)
            throws InvalidPropertyException {
        if (found.isComposite()) {
            throw new InvalidPropertyException("Property '" + property + "' is '" + value
                    + "', which stands for several that can only be sent to together; set one of them, and give each other one a"
                    + " message-driven bean of its own");
        }
        return found;
    }

    private static ReadpastDestination ours(Destination found) throws ResourceException {
        if (found instanceof ReadpastDestination readpast) {
            return readpast;
        }
        try {
            if (found instanceof Queue queue) {
                return named(queue.getQueueName(), false);
            }
            return named(((Topic) found).getTopicName(), true);
        } catch (JMSException e) {
            throw new ResourceException("The name of " + found + " cannot be told: " + e.getMessage(), e);
        }
    }

    private static <T> T lookUp(String property, String name, Class<T> type, String what) throws ResourceException {
        try {
            return type.cast(new InitialContext().lookup(name));
        } catch (NamingException | ClassCastException e) {
            throw new ResourceException(
                    "Property '" + property + "' is '" + name + "', where JNDI has no " + what + ": " + e.getMessage(),
                    e);
        }
    }

    /** The name of the destination, or its JNDI name where it begins with {@code java:}; null if it is not set. */
    public String getDestination() {
        return destination;
    }

    /** Sets the name of the destination, or its JNDI name where it begins with {@code java:}. */
    public void setDestination(String destination) {
        this.destination = unlessBlank(destination);
    }

    /** The kind of the destination; null if it is not set. */
    public String getDestinationType() {
        return destinationType;
    }

    /** Sets the kind of the destination: {@code jakarta.jms.Queue} or {@code jakarta.jms.Topic}, or the same with {@code javax.}. */
    public void setDestinationType(String destinationType) {
        String type = unlessBlank(destinationType);
        this.destinationType = type == null
                ? null
                : type.replaceFirst("^(jakarta|javax)[.]jms[.]", Queue.class.getPackageName() + ".");
    }

    /** The JNDI name of the destination; null if it is not set. */
    public String getDestinationLookup() {
        return destinationLookup;
    }

    /** Sets the JNDI name of the destination. */
    public void setDestinationLookup(String destinationLookup) {
        this.destinationLookup = unlessBlank(destinationLookup);
    }

    /** Sets the same, in the words of GenericRA. */
    public void setDestinationJndiName(String name) {
        setDestinationLookup(name);
    }

    /** The JNDI name of the connection factory; null if it is not set. */
    public String getConnectionFactoryLookup() {
        return connectionFactoryLookup;
    }

    /** Sets the JNDI name of a connection factory of this adapter, whose database it is. */
    public void setConnectionFactoryLookup(String connectionFactoryLookup) {
        this.connectionFactoryLookup = unlessBlank(connectionFactoryLookup);
    }

    /** The selector; null for all messages. */
    public String getMessageSelector() {
        return messageSelector;
    }

    /** Sets the selector. */
    public void setMessageSelector(String messageSelector) {
        this.messageSelector = unlessBlank(messageSelector);
    }

    /** How messages are acknowledged without a container transaction. */
    public String getAcknowledgeMode() {
        return acknowledgeMode;
    }

    /** Sets how messages are acknowledged without a container transaction; both modes acknowledge each by itself. */
    public void setAcknowledgeMode(String acknowledgeMode) {
        String mode = unlessBlank(acknowledgeMode);
        this.acknowledgeMode = mode == null
                ? this.acknowledgeMode
                : switch (mode.toUpperCase(Locale.ROOT).replace('-', '_')) {
                    case "AUTO_ACKNOWLEDGE" -> "Auto-acknowledge";
                    case "DUPS_OK_ACKNOWLEDGE" -> "Dups-ok-acknowledge";
                    default -> mode;
                };
    }

    /** Whether the subscription is durable. */
    public String getSubscriptionDurability() {
        return subscriptionDurability;
    }

    /** Sets whether the subscription is durable: {@code Durable} or {@code NonDurable}. */
    public void setSubscriptionDurability(String subscriptionDurability) {
        this.subscriptionDurability = Objects.requireNonNullElse(unlessBlank(subscriptionDurability), NON_DURABLE);
    }

    /** The name of the subscription; null if it is not set. */
    public String getSubscriptionName() {
        return subscriptionName;
    }

    /** Sets the name of a durable or shared subscription. It means nothing to one that is neither, which ends with the bean. */
    public void setSubscriptionName(String subscriptionName) {
        this.subscriptionName = unlessBlank(subscriptionName);
    }

    /** The client id; null if it is not set. */
    public String getClientId() {
        return clientId;
    }

    /** Sets the client id. */
    public void setClientId(String clientId) {
        this.clientId = unlessBlank(clientId);
    }

    /** Sets the client id, in the words of other adapters. */
    public void setClientID(String id) {
        setClientId(id);
    }

    /** Whether the subscription is shared. */
    public String getShareSubscriptions() {
        return shareSubscriptions;
    }

    /** Sets whether the subscription is shared, with other beans and nodes: {@code true} or {@code false}. */
    public void setShareSubscriptions(String shareSubscriptions) {
        this.shareSubscriptions = Objects.requireNonNullElse(unlessBlank(shareSubscriptions), "false");
    }

    /** After how many failed deliveries in a row the next one pauses the bean; null if it is not set. */
    public String getMaxSequentialDeliveryFailures() {
        return maxSequentialDeliveryFailures;
    }

    /**
     * Sets how many deliveries in a row may fail; one more pauses the bean, until somebody resumes it by its {@link MessageDrivenBeanMXBean}.
     * With -1, and if it is not set, it is never paused. The name and the meaning are those of IBM MQ's adapter.
     */
    public void setMaxSequentialDeliveryFailures(String maxSequentialDeliveryFailures) {
        this.maxSequentialDeliveryFailures = unlessBlank(maxSequentialDeliveryFailures);
    }

    /** How many messages are delivered side by side; null if it is not set. */
    public String getMaxSession() {
        return maxSession;
    }

    /** Sets how many messages are delivered side by side, from 1 to 1,000; 10 if it is not set. */
    public void setMaxSession(String maxSession) {
        this.maxSession = unlessBlank(maxSession);
    }

    /** Sets the same, in ActiveMQ's words. */
    public void setMaxSessions(String maxSessions) {
        setMaxSession(maxSessions);
    }

    /** Sets the same, in Message Queue's words. */
    public void setEndpointPoolMaxSize(String endpointPoolMaxSize) {
        setMaxSession(endpointPoolMaxSize);
    }

    /** Sets the same, in the words of GenericRA. */
    public void setMaxPoolSize(String maxPoolSize) {
        setMaxSession(maxPoolSize);
    }

    /** Whether the destination is a JNDI name. */
    public String getUseJNDI() {
        return useJNDI;
    }

    /** Sets whether the destination is a JNDI name in any case, in Artemis' words: {@code true} or {@code false}. */
    public void setUseJNDI(String useJNDI) {
        this.useJNDI = Objects.requireNonNullElse(unlessBlank(useJNDI), "false");
    }

    /** Sets the same, in ActiveMQ's words. */
    public void setUseJndi(String use) {
        setUseJNDI(use);
    }

    /** Sets the database's user, in Artemis' words. */
    public void setUser(String user) {
        setUserName(user);
    }
}
