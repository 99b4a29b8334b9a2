package org.readpast.jms.tck.destinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/** Options behind the name of a destination, as applications of ActiveMQ and Artemis have them. */
class DestinationOptionsTest {

    private static final String BEYOND = "beyond the specification";

    @ContractTest
    void options_do_not_make_another_destination(Jms jms) throws Exception {
        Session session = jms.session();
        Queue written = session.createQueue(jms.uniqueName("") + "?consumer.prefetchSize=10&consumer.priority=3");
        MessageConsumer consumer = session.createConsumer(written);
        jms.send(jms.queue(), "1");
        jms.send(written, "2");

        assertThat(jms.receiveText(consumer)).isEqualTo("1");
        Message second = jms.receive(consumer);
        assertThat(((Queue) second.getJMSDestination()).getQueueName())
                .isEqualTo(jms.queue().getQueueName());
    }

    @ContractTest
    void options_are_no_part_of_the_name(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = session.createQueue(jms.uniqueName("") + "?exclusive=true");
        Topic topic = session.createTopic(jms.uniqueName("topic") + "?consumer.exclusive=true");

        assertThat(queue.getQueueName()).isEqualTo(jms.uniqueName(""));
        assertThat(queue).isEqualTo(jms.queue()).hasToString(jms.queue().toString());
        assertThat(topic).isEqualTo(jms.topic());
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = "options that are not known are passed over")
    void unknown_option_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        assertThatThrownBy(() -> session.createQueue("orders?exclusiv=true"))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("'exclusive'");
    }

    @ContractTest
    void question_mark_may_be_part_of_a_name(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = session.createQueue(jms.uniqueName("who") + "?");
        jms.send(queue, "1");

        assertThat(jms.receiveText(session.createConsumer(queue))).isEqualTo("1");
    }
}
