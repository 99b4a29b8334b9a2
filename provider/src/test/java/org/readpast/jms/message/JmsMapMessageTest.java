package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;

class JmsMapMessageTest {

    private final JmsMapMessage message = new JmsMapMessage();

    @ParameterizedTest
    @NullAndEmptySource
    void a_name_is_needed(String name) {
        assertThatThrownBy(() -> message.setInt(name, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setObject(name, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setBytes(name, new byte[1], 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void any_other_name_will_do() throws JMSException {
        message.setInt("a b", 1);
        message.setInt("NULL", 2);
        message.setInt("@types", 3);
        message.setString("n", null);
        assertThat(Collections.list(message.getMapNames())).containsExactly("a b", "NULL", "@types", "n");
        assertThat(message.itemExists("n")).isTrue();
        assertThat(message.itemExists("m")).isFalse();
    }

    @Test
    void arrays_are_copied_in_and_out() throws JMSException {
        byte[] bytes = {1, 2, 3};
        message.setBytes("a", bytes);
        message.setObject("b", bytes);
        message.setBytes("c", bytes, 1, 2);
        message.setBytes("d", null, 1, 2);
        bytes[0] = 9;
        bytes[1] = 9;
        message.getBytes("a")[0] = 8;
        ((byte[]) message.getObject("b"))[0] = 8;
        ((byte[]) message.getBody(Map.class).get("a"))[0] = 8;
        assertThat(message.getBytes("a")).containsExactly(1, 2, 3);
        assertThat(message.getBytes("b")).containsExactly(1, 2, 3);
        assertThat(message.getBytes("c")).containsExactly(2, 3);
        assertThat(message.getBytes("d")).isNull();
        assertThatThrownBy(() -> message.setBytes("e", bytes, 2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void its_body_is_a_map_of_the_receivers_own() throws JMSException {
        assertThat((Object) message.getBody(Map.class)).isEqualTo(Map.of());
        assertThat(message.getBody(String.class)).as("no body").isNull();
        assertThat(message.isBodyAssignableTo(String.class)).isTrue();
        message.setInt("a", 1);
        assertThat(message.isBodyAssignableTo(Map.class)).isTrue();
        assertThat(message.isBodyAssignableTo(Object.class)).isTrue();
        assertThat(message.isBodyAssignableTo(HashMap.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(HashMap.class)).isInstanceOf(MessageFormatException.class);
        @SuppressWarnings("unchecked") // what the API says it is
        Map<String, Object> body = message.getBody(Map.class);
        body.put("b", 2);
        assertThat(message.itemExists("b")).isFalse();
    }
}
