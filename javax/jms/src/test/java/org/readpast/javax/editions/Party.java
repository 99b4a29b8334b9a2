package org.readpast.javax.editions;

import java.util.List;
import java.util.Map;

/** One who sends and receives with an edition of its own. What goes in and out has no type of either API. */
public interface Party extends AutoCloseable {

    /** The API that it was compiled for, or was renamed to: the name of its package. */
    String api();

    /** Sends one message of each kind to a queue, in one transaction. */
    void sendAllKinds(String queue) throws Exception;

    /** The next messages of a queue, as many as are asked for, in one transaction: each by what can be read of it. */
    List<Map<String, Object>> receive(String queue, int count) throws Exception;

    /** Receives the next message of a queue and rolls back. */
    void rollBack(String queue) throws Exception;

    /** Sends a text that is not to be delivered before so many milliseconds have passed. */
    void sendDelayed(String queue, String text, long millis) throws Exception;

    /** Sends a text and waits for the answer, in a temporary queue of its own. */
    String request(String queue, String text) throws Exception;

    /** Waits for one text and answers it. */
    void answer(String queue) throws Exception;

    /** Makes a durable subscription, unless it is there, and returns the texts that wait for it. */
    List<String> subscribe(String topic, String name) throws Exception;

    void publish(String topic, String text) throws Exception;

    @Override
    void close();
}
