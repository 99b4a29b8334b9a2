package org.readpast.jms.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import jakarta.jms.IllegalStateException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DestinationTest {

    @Test
    void text_form_is_exact_and_what_is_shown_is_one_line() {
        ReadpastQueue queue = new ReadpastQueue("a\nWARN  forged");
        assertThat(queue.text()).isEqualTo("queue://a\nWARN  forged");
        assertThat(queue.toString()).isEqualTo("queue://a\\u000aWARN  forged");
        assertThat(ReadpastDestination.parse(queue.text())).isEqualTo(queue);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastQueue("a,\nb,"))
                .withMessageNotContaining("\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastQueue("a?x\n=1"))
                .withMessageNotContaining("\n");
    }

    @Test
    void destination_that_came_with_a_message_is_known_by_that() {
        assertThat(ReadpastDestination.parse("queue://a,b").isReceived()).isTrue();
        assertThat(new ReadpastQueue("a,b").isReceived()).isFalse();
    }

    static Stream<ReadpastDestination> one_of_each() {
        return Stream.of(
                new ReadpastQueue("a/b://c"),
                new ReadpastTopic("news"),
                new ReadpastTemporaryQueue("t1"),
                new ReadpastTemporaryTopic("t2"));
    }

    @ParameterizedTest
    @MethodSource("one_of_each")
    void text_form_makes_an_equal_one(ReadpastDestination destination) {
        assertThat(ReadpastDestination.parse(destination.text()))
                .isEqualTo(destination)
                .hasSameHashCodeAs(destination)
                .hasToString(destination.text());
    }

    @ParameterizedTest
    @MethodSource("one_of_each")
    void serialized_form_makes_an_equal_one(ReadpastDestination destination)
            throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(destination);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(destination);
        }
    }

    @Test
    void kinds_of_the_same_name_differ() {
        assertThat(Stream.of(
                        new ReadpastQueue("x"),
                        new ReadpastTopic("x"),
                        new ReadpastTemporaryQueue("x"),
                        new ReadpastTemporaryTopic("x")))
                .doesNotHaveDuplicates();
    }

    @Test
    void text_without_a_known_scheme_is_refused() {
        assertThat(ReadpastDestination.parse(null)).isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> ReadpastDestination.parse("orders"));
        assertThatIllegalArgumentException().isThrownBy(() -> ReadpastDestination.parse("mailbox://orders"));
    }

    @Test
    void name_is_set_in_the_words_of_any_provider() {
        ReadpastQueue queue = new ReadpastQueue();
        queue.setPhysicalName("a");
        assertThat(queue.getQueueName()).isEqualTo("a");
        queue.setAddress("b");
        assertThat(queue.getPhysicalName()).isEqualTo("b");
        assertThat(queue.getAddress()).isEqualTo("b");
    }

    @ParameterizedTest
    @CsvSource({
        "queue://orders, orders",
        "queue:///ORDERS, ORDERS",
        "queue://QM1/ORDERS, QM1/ORDERS",
        "queue://orders?exclusive=true, orders",
        "'queue:///a,queue:///b,topic:///c', 'a,b,topic:///c'",
        "/orders, /orders",
        "a/b://c, a/b://c"
    })
    void name_of_a_queue_may_be_written_with_its_scheme(String written, String name) {
        ReadpastQueue queue = new ReadpastQueue();
        queue.setPhysicalName(written);

        assertThat(queue.getQueueName()).isEqualTo(name);
        assertThat(new ReadpastQueue(written)).isEqualTo(queue);
    }

    @Test
    void name_of_a_topic_may_be_written_with_its_scheme() {
        assertThat(new ReadpastTopic("topic://news").getTopicName()).isEqualTo("news");
        assertThat(new ReadpastTopic("topic:///price/fruit").getTopicName()).isEqualTo("/price/fruit");
    }

    @Test
    void scheme_of_another_kind_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastQueue("topic://news"))
                .withMessage("'topic://news' names a topic, and not a queue");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadpastTopic("temp-queue://q\n"))
                .withMessage("'temp-queue://q\\u000a' names a temporary queue, and not a topic");
    }

    @Test
    void name_that_came_with_a_message_is_taken_as_it_is() {
        assertThat(((ReadpastQueue) ReadpastDestination.parse("queue:///orders")).getQueueName())
                .isEqualTo("/orders");
        assertThat(((ReadpastQueue) ReadpastDestination.parse("queue://topic://news")).getQueueName())
                .isEqualTo("topic://news");
    }

    @Test
    void temporary_one_of_another_connection_cannot_be_deleted() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> new ReadpastTemporaryQueue("x").delete())
                .withMessageContaining("temp-queue://x");
    }
}
