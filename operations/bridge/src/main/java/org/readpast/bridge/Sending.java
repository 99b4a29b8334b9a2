package org.readpast.bridge;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.readpast.bridge.batch.Batch;
import org.readpast.bridge.batch.Crossing;
import org.readpast.bridge.batch.MessageCopy;
import org.readpast.bridge.ends.ReadpastEnd;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.session.SqlSession;

/**
 * Sends messages on the other side: copies, with what refers to other messages and to destinations as it is called there.
 *
 * @param hop which way messages cross
 * @param target where each message goes; null if it goes to the requester that it answers
 * @param replies the queue that stands for temporary queues; null if none does
 */
record Sending(BridgeRules rules, Rule rule, String hop, Destination target, Destination replies) {

    /**
     * For a session of the side that messages go to, which may have to ask its broker whether what all of them need is there.
     *
     * @param isForReplies whether each message goes to the requester that it answers, and not to the rule's target
     */
    static Sending in(Session session, BridgeRules rules, Rule rule, String hop, boolean isForReplies)
            throws JMSException {
        return new Sending(
                rules,
                rule,
                hop,
                isForReplies ? null : rule.target().destination(session),
                rules.areRepliesMapped() ? session.createQueue(rules.replyQueue()) : null);
    }

    /**
     * Makes the copy of a message for the other side and sends it there.
     *
     * @param readpast where pairs of ids are looked up
     * @param session of the side that it goes to
     * @return what its reply is found by; empty if it wants none
     */
    Optional<Crossing> send(Message message, ReadpastEnd readpast, Session session, MessageProducer producer)
            throws JMSException, SQLException {
        Message copy = copy(message, session);
        String correlationId = MessageCopy.correlationId(message);
        Optional<ReadpastEnd.Pair> request =
                correlationId == null ? Optional.empty() : readpast.findPair(rules.name(), correlationId);
        copy.setJMSCorrelationID(request.map(ReadpastEnd.Pair::oldId).orElse(correlationId));
        Destination replyTo;
        String temporary;
        try {
            replyTo = message.getJMSReplyTo();
            temporary = replyTo(replyTo, copy, session);
        } catch (InvalidDestinationException | RuntimeException e) {
            throw itsOwn("its JMSReplyTo is refused: ", e);
        }
        long timeToLive = message.getJMSExpiration() == 0
                ? 0
                : Math.max(1, message.getJMSExpiration() - System.currentTimeMillis());
        producer.send(
                target == null ? requester(readpast, request, correlationId, session) : target,
                copy,
                message.getJMSDeliveryMode(),
                message.getJMSPriority(),
                timeToLive);
        return replyTo == null || !Batch.isUsable(message.getJMSMessageID())
                ? Optional.empty()
                : Optional.of(
                        new Crossing(copy.getJMSMessageID(), message.getJMSMessageID(), correlationId, temporary));
    }

    private Message copy(Message message, Session session) throws JMSException {
        try {
            return MessageCopy.of(message, session, hop);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            throw itsOwn("it cannot be copied: ", e);
        }
    }

    static JMSException itsOwn(String what, Throwable cause) {
        JMSException failure = new JMSException(what + Link.text(cause));
        failure.initCause(cause);
        return failure;
    }

    private Destination requester(
            ReadpastEnd readpast, Optional<ReadpastEnd.Pair> request, String correlationId, Session session)
            throws JMSException, SQLException {
        if (request.isPresent() && request.get().replyTo() != null) {
            return temporary(request.get().replyTo(), session);
        }
        Set<String> requesters = readpast.requesters(rules.name(), correlationId);
        if (requesters.size() != 1) {
            throw new JMSException("there are " + requesters.size() + " requesters for its JMSCorrelationID '"
                    + correlationId + "', and not one");
        }
        return temporary(requesters.iterator().next(), session);
    }

    /** Others find a temporary queue by its name alone. */
    private static Destination temporary(String name, Session session) throws JMSException {
        return session instanceof SqlSession ? new ReadpastTemporaryQueue(name) : session.createQueue(name);
    }

    /** Where a reply goes on the other side. @return the temporary queue that this stands for, or null */
    private String replyTo(Destination replyTo, Message copy, Session session) throws JMSException {
        if (isLost(replyTo, rules)) {
            MessageCopy.drop(copy, List.of("JMSReplyTo"));
            return null;
        }
        if (replyTo instanceof TemporaryQueue temporary) {
            copy.setJMSReplyTo(replies);
            return temporary.getQueueName();
        }
        if (replyTo instanceof Queue queue) {
            copy.setJMSReplyTo(counterpart(Place.queue(queue.getQueueName())).destination(session));
        } else if (replyTo instanceof Topic topic) {
            copy.setJMSReplyTo(counterpart(new Place(true, topic.getTopicName(), null, null))
                    .destination(session));
        }
        return null;
    }

    /** Whether nothing on the other side stands for a JMSReplyTo. Some brokers have addresses that are neither a queue's nor a topic's. */
    static boolean isLost(Destination replyTo, BridgeRules rules) {
        if (replyTo instanceof TemporaryQueue) {
            return !rules.areRepliesMapped();
        }
        return replyTo instanceof TemporaryTopic
                || (replyTo != null && !(replyTo instanceof Queue) && !(replyTo instanceof Topic));
    }

    /** From which place of the other side messages cross to this one; of the same name if no rule says so. */
    private Place counterpart(Place place) {
        return rules.rules().stream()
                .filter(other ->
                        other.direction() != rule.direction() && other.target().equals(place))
                .map(Rule::source)
                .map(source -> new Place(source.isTopic(), source.name(), null, null))
                .findFirst()
                .orElse(place);
    }
}
