package org.readpast.jms.engine.source;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import org.readpast.jms.config.Settings;
import org.readpast.jms.destination.DestinationOptions;
import org.readpast.jms.destination.ForeignNames;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;

/** Where the consumers of a connection get their messages from. Thread-safe. */
public final class Sources {

    private final ConnectionContext connection;
    private final Settings settings;
    private final Presence presence;
    private final Destinations destinations;
    private final Subscriptions subscriptions;
    private final Groups groups;
    private final Temporaries temporaries;
    private final OpenSources openSources;

    public Sources(
            ConnectionContext connection,
            Settings settings,
            Presence presence,
            Destinations destinations,
            Subscriptions subscriptions,
            Groups groups,
            Temporaries temporaries,
            OpenSources openSources) {
        this.connection = connection;
        this.settings = settings;
        this.presence = presence;
        this.destinations = destinations;
        this.subscriptions = subscriptions;
        this.groups = groups;
        this.temporaries = temporaries;
        this.openSources = openSources;
    }

    /**
     * A queue to consume from.
     *
     * @param selector null for all messages
     * @throws InvalidDestinationException if it is a temporary queue of another connection
     */
    public Source of(ReadpastDestination queue, Selector selector) throws JMSException {
        temporaries.checkMayConsume(queue);
        ForeignNames.warnOf(queue);
        int id = destinations.idOf(queue, connection.autoCreation());
        Source.Claiming claiming = claiming(queue);
        boolean byLease = claiming.lease() != null;
        if (!queue.isTemporary()) {
            consumes(queue, id, byLease);
        }
        return open(Source.ofQueue(openSources, queue, destinations.use(queue, id, byLease), selector, claiming));
    }

    private Source open(Source source) {
        openSources.add(source, connection);
        return source;
    }

    private void consumes(ReadpastDestination queue, int id, boolean byLease) throws JMSException {
        try {
            presence.consumes(id, byLease);
        } catch (StoreException e) {
            throw JmsErrors.jms("Creating a consumer on " + queue + " failed", e);
        }
    }

    /**
     * A subscription of a topic to consume from, which exists when this returns.
     *
     * @throws IllegalStateException if a subscription of this name is in use otherwise, or of the other kind
     * @throws InvalidDestinationException if it is a temporary topic that is gone, or of another connection
     */
    public Source of(Subscription subscription) throws JMSException {
        temporaries.checkMayConsume(subscription.topic());
        Source.Claiming claiming = claiming(subscription.topic());
        return open(Source.ofTopic(
                openSources, subscription.topic(), subscriptions.open(connection, subscription), claiming));
    }

    /**
     * Whether a consumer takes the whole of a destination, and whether it claims by lease, is said behind its name or by the
     * configuration.
     *
     * @throws InvalidDestinationException if it is to do both
     */
    private Source.Claiming claiming(ReadpastDestination destination) throws JMSException {
        DestinationOptions options = destination.options();
        boolean exclusive = options.isExclusive() || settings.exclusive(destination.getName());
        int seconds = options.leaseSeconds().orElse(settings.leaseSeconds(destination.getName()));
        if (exclusive && seconds > 0) {
            throw new InvalidDestinationException(destination
                    + " cannot be consumed both exclusively and by lease, since the order of an exclusive queue rests "
                    + "on locks; set the option 'consumer.exclusive' to false or 'consumer.leaseSeconds' to 0 for it");
        }
        LeaseTerms lease = seconds == 0 ? null : new LeaseTerms(presence.instance(), seconds);
        return new Source.Claiming(groups.use(exclusive), lease);
    }

    /**
     * A walk over the messages that are in a queue now.
     *
     * @param selector null for all messages
     * @throws InvalidDestinationException if it is a temporary queue of another connection
     */
    public BrowseCursor browse(MessageStore store, ReadpastQueue queue, Selector selector) throws JMSException {
        temporaries.checkMayConsume(queue);
        return new PagedBrowse(store, queue, destinations.idOf(queue, connection.autoCreation()), selector);
    }

    /** Deletes a durable subscription; see {@link Subscriptions#unsubscribe}. */
    public void unsubscribe(String subscriptionName) throws JMSException {
        subscriptions.unsubscribe(connection, subscriptionName);
    }
}
