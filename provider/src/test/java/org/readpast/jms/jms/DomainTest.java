package org.readpast.jms.jms;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DomainTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "createSharedConnectionConsumer",
                "createDurableConnectionConsumer",
                "createSharedDurableConnectionConsumer",
                "createDurableSubscriber",
                "createDurableConsumer",
                "createSharedConsumer",
                "createSharedDurableConsumer",
                "createTemporaryTopic",
                "createTopic",
                "unsubscribe"
            })
    void the_queue_domain_refuses_what_table_9_1_lists(String method) {
        assertThatThrownBy(() -> Domain.QUEUE.check(method))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(method)
                .hasMessageContaining("QueueSession");
        assertThatCode(() -> Domain.TOPIC.check(method)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"createBrowser", "createQueue", "createTemporaryQueue"})
    void the_topic_domain_refuses_what_table_9_1_lists(String method) {
        assertThatThrownBy(() -> Domain.TOPIC.check(method))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(method)
                .hasMessageContaining("TopicSession");
        assertThatCode(() -> Domain.QUEUE.check(method)).doesNotThrowAnyException();
    }

    @Test
    void the_classic_api_refuses_nothing() {
        assertThatCode(() -> {
                    Domain.GENERIC.check("createTopic");
                    Domain.GENERIC.check("createQueue");
                })
                .doesNotThrowAnyException();
    }
}
