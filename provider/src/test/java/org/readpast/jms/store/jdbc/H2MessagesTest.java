package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/** Messages on H2. */
class H2MessagesTest extends SqlMessagesContract {

    H2MessagesTest() {
        super(TestDatabase.H2);
    }

    /** One statement of PostgreSQL's does it there; here each page may be all claimed. */
    @Test
    void expired_messages_are_removed_from_behind_those_that_somebody_holds() throws Exception {
        StoreTransaction holder = transaction();
        List<StoredMessage> claimed = claimedAndExpired(holder, head(1));
        long longAgo = System.nanoTime() - 1_000_000_000L;
        store.insert(List.of(
                new NewMessage(queue, message("second"), 1, 0, longAgo),
                new NewMessage(queue, message("third"), 1, 0, longAgo)));

        assertThat(store.removeExpired(queue, Optional.empty(), 1)).isEqualTo(1);
        assertThat(store.removeExpired(queue, Optional.empty(), 100)).isEqualTo(1);

        holder.commit(acknowledging(claimed), null);
        assertThat(tables().messages(queue)).isEmpty();
    }
}
