package org.readpast.jms.store.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.jdbc.row.Names.Known;

class NamesTest {

    private static final int ID = 23;
    private static final Known TOPIC = new Known(DestinationKind.TOPIC, "prices");

    private final Names names = new Names();

    /** Somebody consumes there, whatever became of the id by which the name was known. */
    @Test
    void what_was_looked_up_once_is_looked_for_until_it_is_gone() {
        names.remember(TOPIC.kind(), TOPIC.name(), ID);
        names.forgetIds();
        assertThat(names.id(TOPIC.kind(), TOPIC.name())).isNull();
        assertThat(names.known()).containsOnly(Map.entry(ID, TOPIC));

        names.forget(TOPIC, ID);
        assertThat(names.known()).isEmpty();
        assertThat(names.isGone(ID)).isTrue();
    }

    /** As behind a restore, which gives ids out again. */
    @Test
    void id_belongs_to_what_was_heard_of_last() {
        Known temporary = new Known(DestinationKind.TEMPORARY_QUEUE, "replies");
        names.rememberOwn(temporary.kind(), temporary.name(), ID);
        assertThat(names.isOwn(temporary.kind(), temporary.name(), ID)).isTrue();
        names.remember(TOPIC.kind(), TOPIC.name(), ID);
        assertThat(names.isOwn(temporary.kind(), temporary.name(), ID)).isFalse();
        names.forgetOwn(ID);
        assertThat(names.known()).containsOnly(Map.entry(ID, TOPIC));

        names.rememberOwn(temporary.kind(), temporary.name(), ID);
        assertThat(names.id(TOPIC.kind(), TOPIC.name())).isNull();
        assertThat(names.known()).containsOnly(Map.entry(ID, temporary));
        names.forgetOwn(ID);
        assertThat(names.known()).isEmpty();
    }

    @Test
    void id_that_something_else_has_got_is_not_gone() {
        Known queue = new Known(DestinationKind.QUEUE, "orders");
        names.remember(TOPIC.kind(), TOPIC.name(), ID);
        names.remember(queue.kind(), queue.name(), ID);
        names.forget(TOPIC, ID);
        assertThat(names.isGone(ID)).isFalse();
        assertThat(names.known()).containsOnly(Map.entry(ID, queue));
        assertThat(names.id(queue.kind(), queue.name())).isEqualTo(ID);
    }
}
