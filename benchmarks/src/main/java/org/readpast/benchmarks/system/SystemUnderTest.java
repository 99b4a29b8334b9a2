package org.readpast.benchmarks.system;

/**
 * One of the systems that are compared, as its clients see it. What it opens has a connection of its own and is used by one
 * thread; the system itself is thread-safe. An {@link UnsupportedOperationException} says that it cannot do a thing at all.
 */
public interface SystemUnderTest extends AutoCloseable {

    Sender sender(String queue, SendMode mode) throws Exception;

    /** A receiver, whose connection is open; nothing is fetched ahead for it before it is told to receive. */
    Receiver receiver(String queue, ReceiveMode mode) throws Exception;

    /** A publisher one by one, to so many durable subscriptions, which are made here and removed when it is closed. */
    Publisher publisher(String topic, int subscriptions) throws Exception;

    /** Takes messages by their correlation id. */
    Picker picker(String queue) throws Exception;

    /** Holds so many messages, unacknowledged, until it is closed; they are those at the head of the queue. */
    AutoCloseable hold(String queue, int count) throws Exception;

    /** Reads through all that waits in a queue, without taking it; returns how many messages that were. */
    long browse(String queue) throws Exception;

    /** Takes the one message whose correlation id ends like this, which no index helps to find. */
    void takeBySuffix(String queue, String suffix) throws Exception;

    /**
     * Sends requests.
     *
     * @param place where the responder is
     */
    Requester requester(String queue, Place place) throws Exception;

    /** Answers requests until it is closed. */
    AutoCloseable responder(String queue, Place place) throws Exception;

    /** Throws away what waits in a queue. */
    void discard(String queue) throws Exception;

    @Override
    void close();

    /** Sends messages. */
    interface Sender extends AutoCloseable {

        /** Sends one, or at least takes it over. */
        void send(Payload payload) throws Exception;

        /** Returns when all that was sent is durable. */
        void flush() throws Exception;

        @Override
        void close();
    }

    /** Receives messages. */
    interface Receiver extends AutoCloseable {

        /**
         * Receives until enough have come, once. Returns when the acknowledgement of all that it took is durable, or where
         * acknowledgements are lazy has at least been carried out by the broker.
         */
        void receive(Intake intake) throws Exception;

        @Override
        void close();
    }

    /** Publishes messages, one by one. */
    interface Publisher extends AutoCloseable {

        /** Returns when every subscription has its durable copy. */
        void publish(Payload payload) throws Exception;

        @Override
        void close();
    }

    /** Takes the messages that a selector asks for. */
    interface Picker extends AutoCloseable {

        /** Takes and acknowledges the one message that has this correlation id. */
        void pick(String correlationId) throws Exception;

        @Override
        void close();
    }

    /** Sends requests and waits for their replies, one after the other. */
    interface Requester extends AutoCloseable {

        /** Returns when the reply is there and acknowledged. */
        void request(Payload payload) throws Exception;

        @Override
        void close();
    }
}
