package org.readpast.jms.store.jdbc.presence;

import org.readpast.jms.store.SubscriptionRequest;

/**
 * What makes a subscription unique in a database, as text: durable ones and shared non-durable ones are separate spaces (§8.3.2),
 * in each of which client id and name tell them apart.
 */
final class SubscriptionName {

    private SubscriptionName() {}

    static String of(SubscriptionRequest request) {
        if (request.name() == null) {
            return "consumer:" + request.consumer();
        }
        return request.durable()
                ? durable(request.clientId(), request.name())
                : named("shared", request.clientId(), request.name());
    }

    static String durable(String clientId, String name) {
        return named("durable", clientId, name);
    }

    /** A colon within the client id is marked, so that the one behind it is the first that is not. */
    private static String named(String space, String clientId, String name) {
        String client = clientId == null ? "" : clientId.replace("\\", "\\\\").replace(":", "\\:");
        return space + ":" + client + ":" + name;
    }
}
