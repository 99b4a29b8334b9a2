package org.readpast.spring.boot.actuate;

import jakarta.jms.JMSException;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.readpast.spring.ReadpastMessageListenerContainer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jms.config.JmsListenerEndpointRegistry;

/** Whether messages come and go. Thread-safe. */
public final class MessageHealth {

    private final MessageQueries queries;
    private final ObjectProvider<JmsListenerEndpointRegistry> registries;

    MessageHealth(MessageQueries queries, ObjectProvider<JmsListenerEndpointRegistry> registries) {
        this.queries = queries;
        this.registries = registries;
    }

    /** Whether the database answers, and others see that this JVM lives. Waits as long as the pool does for a connection. */
    public Finding database() {
        try {
            boolean present = queries.isPresent();
            return new Finding(null, present, Map.of("presence", present ? "registered" : "missing"));
        } catch (JMSException | SQLException | RuntimeException e) {
            return new Finding(e, false, Map.of());
        }
    }

    /** Whether there are listeners of which several messages in a row have failed, and none has succeeded since. */
    public Finding listeners() {
        Map<String, Object> failing = new TreeMap<>();
        registries.stream()
                .flatMap(registry -> registry.getListenerContainers().stream())
                .filter(ReadpastMessageListenerContainer.class::isInstance)
                .map(ReadpastMessageListenerContainer.class::cast)
                .filter(ReadpastMessageListenerContainer::isFailing)
                .forEach(container -> failing.merge(
                        String.valueOf(container.getDestinationName()),
                        "no message has succeeded since several have failed",
                        (one, other) -> one));
        return new Finding(null, failing.isEmpty(), failing);
    }
}
