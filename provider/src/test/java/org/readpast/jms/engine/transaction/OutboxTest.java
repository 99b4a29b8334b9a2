package org.readpast.jms.engine.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.NewMessage;

class OutboxTest {

    private static NewMessage message(String properties, Body body) {
        EncodedMessage content = new EncodedMessage(
                "ID:1",
                "queue://orders",
                null,
                null,
                null,
                DeliveryMode.PERSISTENT,
                4,
                0,
                0,
                0,
                null,
                properties,
                BodyKind.TEXT,
                body);
        return new NewMessage(1, content, 0, 0, 0);
    }

    @Test
    void properties_count() {
        Outbox outbox = new Outbox(10_000);
        assertThat(outbox.hold(List.of(message("{\"a\":\"" + "x".repeat(6_000) + "\"}", Body.EMPTY))))
                .isFalse();
    }

    @Test
    void characters_of_a_text_count_two_bytes() {
        Outbox outbox = new Outbox(10_000);
        assertThat(outbox.hold(List.of(message(null, new Body.Text("x".repeat(6_000))))))
                .isFalse();
    }

    @Test
    void empty_messages_count() {
        Outbox outbox = new Outbox(10_000);
        int held = 0;
        while (outbox.hold(List.of(message(null, Body.EMPTY)))) {
            held++;
        }
        assertThat(held).isLessThan(100);
    }

    @Test
    void what_went_out_early_keeps_no_content() {
        Outbox outbox = new Outbox(10);
        outbox.hold(List.of(message(null, new Body.Text("x".repeat(100)))));
        outbox.wentOut();
        assertThat(outbox.all()).hasSize(1).allMatch(message -> message.message() == null);
        assertThat(outbox.hasGoneOut()).isTrue();
    }
}
