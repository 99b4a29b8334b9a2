package org.readpast.jms.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.message.JmsTextMessage;

class MessageTemplateTest {

    private final MessageTemplate template = new MessageTemplate();
    private final JmsTextMessage message = new JmsTextMessage();

    @Test
    void what_is_set_here_overrides_what_is_set_on_the_message() throws Exception {
        message.setIntProperty("size", 1);
        message.setJMSType("old");
        message.setJMSCorrelationID("old");
        template.held().setIntProperty("size", 2);
        template.held().setJMSType("new");
        template.held().setJMSCorrelationID("new");
        template.held().setJMSReplyTo(new ReadpastQueue("replies"));

        template.applyTo(message);

        assertThat(message.getObjectProperty("size")).isEqualTo(2);
        assertThat(message.getJMSType()).isEqualTo("new");
        assertThat(message.getJMSCorrelationID()).isEqualTo("new");
        assertThat(message.getJMSReplyTo()).isEqualTo(new ReadpastQueue("replies"));
    }

    @Test
    void what_is_not_set_here_stays_as_the_message_has_it() throws Exception {
        message.setIntProperty("size", 1);
        message.setJMSType("old");
        message.setJMSCorrelationID("old");

        template.applyTo(message);

        assertThat(message.getObjectProperty("size")).isEqualTo(1);
        assertThat(message.getJMSType()).isEqualTo("old");
        assertThat(message.getJMSCorrelationID()).isEqualTo("old");
    }

    @Test
    void the_names_are_a_view_that_cannot_be_changed() throws Exception {
        Set<String> names = template.propertyNames();
        assertThat(names).isEmpty();
        assertThatThrownBy(names::clear).isInstanceOf(UnsupportedOperationException.class);
        template.held().setStringProperty("colour", "red");
        assertThat(names).containsExactly("colour").contains("colour").doesNotContain("size");
        assertThatThrownBy(() -> names.remove("colour")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> names.add("size")).isInstanceOf(UnsupportedOperationException.class);
        template.held().clearProperties();
        assertThat(names).isEmpty();
    }
}
