package org.readpast.spring.boot.actuate;

import jakarta.jms.JMSException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** {@code /actuator/readpast}: how far behind each queue is. */
@Endpoint(id = "readpast")
public final class QueuesEndpoint {

    private final MessageQueries queries;

    QueuesEndpoint(MessageQueries queries) {
        this.queries = queries;
    }

    /** @return the key {@code queues} with all queues and subscriptions, by name */
    @ReadOperation
    public Map<String, List<QueueDepth>> queues() throws JMSException, SQLException {
        return Map.of("queues", queries.depths());
    }
}
