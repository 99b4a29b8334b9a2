package org.readpast.jms.destination;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** Names of queues that with ActiveMQ stand for messages which are sent to other names. Here nothing comes to them. */
public final class ForeignNames {

    private static final Logger LOG = Loggers.of(ForeignNames.class);

    private static final Pattern OF_VIRTUAL_TOPIC = Pattern.compile("Consumer\\.[^.]+\\.VirtualTopic\\..+");

    /** Which of them have been logged in this JVM. */
    private static final Set<String> NOTED = ConcurrentHashMap.newKeySet();

    private ForeignNames() {}

    /** Warns, once in this JVM, of a queue that is to be consumed under such a name. */
    public static void warnOf(ReadpastDestination queue) {
        String name = queue.getName();
        boolean isOfVirtualTopic = OF_VIRTUAL_TOPIC.matcher(name).matches();
        if ((isOfVirtualTopic || TopicPattern.isPattern(name)) && NOTED.add(name)) {
            LOG.warn(
                    "The queue '{}' is consumed, and gets what is sent to this name and nothing else: {}",
                    Shown.inOneLine(name),
                    isOfVirtualTopic
                            ? "there are no virtual topics; consume the topic by createSharedDurableConsumer"
                            : "there are no wildcards in the names of queues; make a consumer for each queue");
        }
    }
}
