package org.readpast.jms.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompositeDestinationTest {

    @Test
    void member_without_a_scheme_is_of_the_kind_of_the_whole() {
        assertThat(new ReadpastQueue("a,topic://b, queue://c ,d").members())
                .containsExactly(
                        new ReadpastQueue("a"), new ReadpastTopic("b"), new ReadpastQueue("c"), new ReadpastQueue("d"));
        assertThat(new ReadpastTopic("a,queue://b").members())
                .containsExactly(new ReadpastTopic("a"), new ReadpastQueue("b"));
    }

    @Test
    void member_that_is_named_twice_is_one() {
        ReadpastQueue queue = new ReadpastQueue("a,b,queue://a,topic://a");

        assertThat(queue.members())
                .containsExactly(new ReadpastQueue("a"), new ReadpastQueue("b"), new ReadpastTopic("a"));
        assertThat(new ReadpastQueue("a,a")).isEqualTo(new ReadpastQueue("a"));
        assertThat(new ReadpastQueue("a,a").isComposite()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a,topic://b",
                " a , topic://b ",
                "queue://a,topic://b",
                "a,a,topic://b",
                "a,topic://b?exclusive=true"
            })
    void names_of_the_same_members_are_equal(String name) {
        ReadpastQueue queue = new ReadpastQueue(name);

        assertThat(queue).isEqualTo(new ReadpastQueue("a,topic://b"));
        assertThat(queue.getQueueName()).isEqualTo("a,topic://b");
        assertThat(new ReadpastQueue(queue.getQueueName())).isEqualTo(queue);
        assertThat(ReadpastDestination.parse(queue.text())).isEqualTo(queue);
        assertThat(ReadpastDestination.parse(queue.text()).members()).isEqualTo(queue.members());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "a,",
                ",a",
                "a,,b",
                "a, ,b",
                "a,queue://",
                "a,mailbox://b",
                "a,temp-queue://b",
                "a,temp-topic://b",
                "queue://topic://a,b",
                "a,topic://b.*",
                "a,topic://>",
                "topic://a,topic://a"
            })
    void composite_name_that_is_not_understood_is_refused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastQueue(name))
                .withMessageContaining("'" + name + "' is no composite destination: ");
    }

    @Test
    void wildcards_are_for_topics_only() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ReadpastTopic("a,b.*"));
        assertThat(new ReadpastQueue("a,b.*").members()).contains(new ReadpastQueue("b.*"));
    }

    @Test
    void simple_destination_is_its_own_only_member() {
        ReadpastQueue queue = new ReadpastQueue("a");

        assertThat(queue.isComposite()).isFalse();
        assertThat(queue.members()).containsExactly(queue);
        assertThat(new ReadpastTemporaryQueue("a,b").isComposite()).isFalse();
        assertThat(new ReadpastQueue().isComposite()).isFalse();
    }

    @Test
    void name_that_was_received_is_taken_as_it_is() {
        ReadpastDestination received = ReadpastDestination.parse("queue://a,,b");

        assertThat(received.getName()).isEqualTo("a,,b");
        assertThatIllegalArgumentException().isThrownBy(received::members);
    }
}
