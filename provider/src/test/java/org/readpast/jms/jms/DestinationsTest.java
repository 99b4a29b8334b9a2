package org.readpast.jms.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTopic;

class DestinationsTest {

    @Test
    void ours_passes() throws Exception {
        ReadpastQueue queue = new ReadpastQueue("orders");
        assertThat(Destinations.ours(queue)).isSameAs(queue);
        assertThat(Destinations.queue(queue)).isSameAs(queue);
    }

    @Test
    void null_nameless_and_foreign_destinations_are_refused() {
        Queue foreign = () -> "orders";
        for (Queue queue : new Queue[] {null, new ReadpastQueue(), new ReadpastQueue(" "), foreign}) {
            assertThatThrownBy(() -> Destinations.queue(queue)).isInstanceOf(InvalidDestinationException.class);
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "queue://", "topic://news", "temp-topic://news", "temp-queue:// "})
    void such_a_name_makes_no_queue(String name) {
        assertThatThrownBy(() -> Destinations.queueNamed(name)).isInstanceOf(InvalidDestinationException.class);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "topic://", "queue://orders", "temp-queue://x"})
    void such_a_name_makes_no_topic(String name) {
        assertThatThrownBy(() -> Destinations.topicNamed(name)).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void the_text_form_names_the_same_destination() throws Exception {
        for (ReadpastDestination queue :
                new ReadpastDestination[] {new ReadpastQueue("orders"), new ReadpastTemporaryQueue("reply")}) {
            assertThat(Destinations.queueNamed(queue.toString())).isEqualTo(queue);
        }
        assertThat(Destinations.topicNamed("topic://news")).isEqualTo(new ReadpastTopic("news"));
    }

    @Test
    void any_other_name_is_taken_as_it_is() throws Exception {
        for (String name : new String[] {"orders", "a.b/c", "http://example.org/orders", "Ünïcode 1"}) {
            assertThat(Destinations.queueNamed(name)).isEqualTo(new ReadpastQueue(name));
        }
    }

    @Test
    void composite_name_and_options_are_understood() throws Exception {
        assertThat(Destinations.queueNamed("queue://a,topic://b")).isEqualTo(new ReadpastQueue("a,topic://b"));
        assertThat(Destinations.queueNamed("topic://b,a")).isEqualTo(new ReadpastQueue("topic://b,a"));
        assertThat(Destinations.topicNamed("queue://a,topic://b")).isEqualTo(new ReadpastTopic("queue://a,b"));
        assertThat(Destinations.queueNamed("queue://a?exclusive=true").options().isExclusive())
                .isTrue();
        assertThat(Destinations.topicNamed("topic://a?exclusive=true").options().isExclusive())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a,,b", "a,mailbox://b", "a,temp-queue://b", "a?exclusiv=true", "?exclusive=true", "queue://a,"})
    void composite_name_and_options_that_are_not_understood_are_refused(String name) {
        assertThatThrownBy(() -> Destinations.queueNamed(name)).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void composite_destination_is_sent_to_and_nothing_else() throws Exception {
        ReadpastQueue queue = new ReadpastQueue("a,b");
        assertThat(Destinations.target(queue)).isSameAs(queue);
        assertThatThrownBy(() -> Destinations.source(queue))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("queue://a,b stands for several destinations");
        assertThatThrownBy(() -> Destinations.queue(queue)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> Destinations.topic(new ReadpastTopic("a,b")))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> Destinations.target(ReadpastDestination.parse("queue://a,,b")))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void pattern_is_subscribed_to_and_nothing_else() throws Exception {
        ReadpastTopic pattern = new ReadpastTopic("a.*");
        assertThat(Destinations.topic(pattern)).isSameAs(pattern);
        assertThatThrownBy(() -> Destinations.target(pattern))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("topic://a.* has wildcards");
        assertThat(Destinations.target(new ReadpastQueue("a.*"))).isEqualTo(new ReadpastQueue("a.*"));
    }
}
