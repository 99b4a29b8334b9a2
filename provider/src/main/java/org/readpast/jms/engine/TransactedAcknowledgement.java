package org.readpast.jms.engine;

import java.util.List;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/** A transacted session: a transaction spans everything since the last commit or rollback. */
final class TransactedAcknowledgement extends Acknowledgement {

    private final int limit;

    /**
     * @param limit how many messages to claim ahead at the most
     */
    TransactedAcknowledgement(SessionTransaction transaction, int limit) {
        super(transaction);
        this.limit = limit;
    }

    @Override
    List<StoredMessage> claim(EngineConsumer consumer) throws StoreException {
        int ahead = transaction.likelyToFollow(limit);
        return transaction.claim(consumer.destinationId(), ahead, consumer.selector());
    }

    @Override
    void received(EngineConsumer consumer) {
        // Waits for the commit.
    }

    @Override
    void unread() {
        // The message was claimed and not taken: it stays locked until the transaction ends, and then comes back
        // uncounted.
    }

    @Override
    void handled(EngineConsumer consumer, boolean more) {
        // Waits for the commit.
    }

    @Override
    void failed() {
        // The session goes on with the next message (§8.7); this one waits for commit or rollback.
    }
}
