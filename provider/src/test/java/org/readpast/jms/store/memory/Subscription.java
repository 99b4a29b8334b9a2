package org.readpast.jms.store.memory;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.readpast.jms.destination.TopicPattern;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.selector.SelectorSyntaxException;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.SubscriptionRequest;

/**
 * A subscription of a topic, or of those that match a pattern.
 *
 * @param id where its messages wait
 * @param request the wish that it was made for
 * @param selector of that wish, parsed
 * @param consumers the instances of its consumers, by the names of these; guarded by the database's monitor
 */
record Subscription(int id, SubscriptionRequest request, Selector selector, Map<String, String> consumers) {

    static Subscription of(int id, SubscriptionRequest request) {
        try {
            return new Subscription(id, request, Selector.parse(request.selector()), new TreeMap<>());
        } catch (SelectorSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /**
     * What makes a subscription unique: durable ones and shared non-durable ones are separate spaces (§8.3.2), in each of which client id
     * and name tell them apart.
     */
    static String uniqueName(SubscriptionRequest request) {
        return request.name() == null
                ? "consumer:" + request.consumer()
                : uniqueName(request.durable(), request.clientId(), request.name());
    }

    static String uniqueName(boolean durable, String clientId, String name) {
        String client = clientId == null ? "" : clientId.replace("\\", "\\\\").replace(":", "\\:");
        return (durable ? "durable:" : "shared:") + client + ":" + name;
    }

    String uniqueName() {
        return uniqueName(request);
    }

    boolean durable() {
        return request.durable();
    }

    boolean isAs(SubscriptionRequest other) {
        return request.topicId() == other.topicId()
                && Objects.equals(request.pattern(), other.pattern())
                && Objects.equals(request.origin(), other.origin())
                && Objects.equals(request.selector(), other.selector());
    }

    /** Whether it is one of a topic. */
    boolean isOf(MemoryDatabase.Destination topic) {
        return request.topicId() == SubscriptionRequest.MATCHING_TOPICS
                ? topic.kind() == DestinationKind.TOPIC
                        && TopicPattern.of(request.pattern()).orElseThrow().matches(topic.name())
                : request.topicId() == topic.id();
    }
}
