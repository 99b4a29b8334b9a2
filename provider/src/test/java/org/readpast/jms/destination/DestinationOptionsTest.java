package org.readpast.jms.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationOptionsTest {

    @ParameterizedTest
    @CsvSource({
        "orders?exclusive=true, true",
        "orders?consumer.exclusive=TRUE, true",
        "orders?consumer.prefetchSize=10&consumer.exclusive=true&consumer.priority=3, true",
        "orders?exclusive=false, false",
        "orders?consumer.dispatchAsync=false, false",
        "orders, false",
    })
    void options_are_taken_off_the_name(String written, boolean exclusive) {
        ReadpastQueue queue = new ReadpastQueue(written);

        assertThat(queue.getQueueName()).isEqualTo("orders");
        assertThat(queue.getPhysicalName()).isEqualTo("orders");
        assertThat(queue.text()).isEqualTo("queue://orders");
        assertThat(queue).isEqualTo(new ReadpastQueue("orders")).hasSameHashCodeAs(new ReadpastQueue("orders"));
        assertThat(queue.options().isExclusive()).isEqualTo(exclusive);
    }

    @Test
    void topic_has_options_too() {
        ReadpastTopic topic = new ReadpastTopic("prices.*?consumer.prefetchSize=1&exclusive=true");

        assertThat(topic.getTopicName()).isEqualTo("prices.*");
        assertThat(topic.isPattern()).isTrue();
        assertThat(topic.options().isExclusive()).isTrue();
        assertThat(topic.options()).hasToString("consumer.prefetchSize=1&exclusive=true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"what?", "what?who", "?", "a?b&c"})
    void question_mark_without_an_equals_sign_is_part_of_the_name(String name) {
        assertThat(new ReadpastQueue(name).getQueueName()).isEqualTo(name);
        assertThat(new ReadpastQueue(name).options()).isSameAs(DestinationOptions.NONE);
    }

    @Test
    void unknown_option_is_refused_with_the_nearest_known_one() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastQueue("orders?exclusiv=true"))
                .withMessageContaining("Unknown option 'exclusiv'")
                .withMessageEndingWith("the nearest known one is 'exclusive'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastQueue("orders?consumer.prefetch=1"))
                .withMessageEndingWith("'consumer.prefetchSize'");
        assertThatIllegalArgumentException().isThrownBy(() -> new ReadpastQueue("orders?exclusive=true&"));
        assertThatIllegalArgumentException().isThrownBy(() -> new ReadpastQueue("orders?exclusive=true&orders"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"consumer.selector=a=1", "consumer.noLocal=true", "last-value=true", "ring-size=5"})
    void option_that_decides_what_is_received_is_not_passed_over(String option) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastQueue("orders?" + option))
                .withMessageContaining("'" + option.substring(0, option.indexOf('=')) + "' is not supported");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exclusive=", "exclusive=yes", "exclusive&consumer.priority=1"})
    void exclusive_is_true_or_false(String options) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastQueue("orders?" + options))
                .withMessageContaining("it takes true or false");
    }

    @Test
    void lease_is_a_number_of_seconds_or_left_to_the_configuration() {
        assertThat(new ReadpastQueue("orders?consumer.leaseSeconds=300")
                        .options()
                        .leaseSeconds())
                .hasValue(300);
        assertThat(new ReadpastTopic("prices?consumer.leaseSeconds=0").options().leaseSeconds())
                .hasValue(0);
        assertThat(new ReadpastQueue("orders?exclusive=false").options().leaseSeconds())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "5s", "1.5", "31536001", "99999999999"})
    void lease_of_another_form_is_refused(String seconds) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastQueue("orders?consumer.leaseSeconds=" + seconds))
                .withMessageContaining("a whole number of seconds from 0 to 31536000");
    }

    @Test
    void temporary_destination_has_a_name_and_nothing_else() {
        assertThat(new ReadpastTemporaryQueue("a?exclusive=true").getQueueName())
                .isEqualTo("a?exclusive=true");
        assertThat(new ReadpastTemporaryTopic("a?exclusive=true").options()).isSameAs(DestinationOptions.NONE);
    }

    @Test
    void name_that_was_received_has_no_options() {
        ReadpastDestination received = ReadpastDestination.parse("queue://a?b=c");

        assertThat(received.getName()).isEqualTo("a?b=c");
        assertThat(received.options()).isSameAs(DestinationOptions.NONE);
    }

    @Test
    void options_are_set_with_the_name() {
        ReadpastQueue queue = new ReadpastQueue("a?exclusive=true");
        queue.setName("b");
        assertThat(queue.options().isExclusive()).isFalse();
        queue.setPhysicalName("c?exclusive=true");
        assertThat(queue.options().isExclusive()).isTrue();
        assertThat(queue.getName()).isEqualTo("c");
    }

    @Test
    void options_stay_in_the_serialized_form_and_in_the_reference() throws IOException, ClassNotFoundException {
        ReadpastQueue queue = new ReadpastQueue("a?consumer.priority=1&exclusive=true");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(queue);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(((ReadpastQueue) in.readObject()).options().isExclusive())
                    .isTrue();
        }
        assertThat(queue.getReference().get("physicalName").getContent())
                .isEqualTo("a?consumer.priority=1&exclusive=true");
        assertThat(new ReadpastQueue("a").getReference().get("physicalName").getContent())
                .isEqualTo("a");
    }
}
