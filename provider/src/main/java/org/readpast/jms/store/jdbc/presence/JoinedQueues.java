package org.readpast.jms.store.jdbc.presence;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.jdbc.row.Names;

/**
 * The queues that this JVM has sent to within transactions of the application's. Who moves a queue to another database has to know of them, since
 * such a transaction cannot follow. Thread-safe.
 */
public final class JoinedQueues {

    private final Names names;
    private final Set<Integer> ids = ConcurrentHashMap.newKeySet();

    public JoinedQueues(Names names) {
        this.names = names;
    }

    /** These are sent within such a transaction. */
    public void note(Collection<NewMessage> messages) {
        for (NewMessage message : messages) {
            int id = message.destinationId();
            if (!ids.contains(id) && names.isQueue(id)) {
                ids.add(id);
            }
        }
    }

    /** As the row of the instance tells them; null for none. An id that is another's now is left out. */
    String told() {
        String told = ids.stream()
                .filter(names::isQueue)
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
        return told.isEmpty() ? null : told;
    }
}
