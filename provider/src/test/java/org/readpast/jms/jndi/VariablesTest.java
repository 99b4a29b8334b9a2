package org.readpast.jms.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import javax.naming.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariablesTest {

    private final Variables variables = new Variables(
            Map.of("host", "outer", "empty", "")::get,
            Map.of("host", "inner", "port", "14${digit}", "digit", "33", "loop", "${loop2}", "loop2", "${loop}"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plain | plain",
                "${host} | outer",
                "//${host}:${port}/ | //outer:1433/",
                "${missing:-x} | x",
                "${missing:-} | ''",
                "${empty:-x} | ''",
                "${missing:-${other:-${digit}}} | 33",
                "$${host} | ${host}",
                "a$b}c | a$b}c"
            })
    void variables_are_filled_in(String text, String filled) throws ConfigurationException {
        assertThat(variables.fill("key", text)).isEqualTo(filled);
    }

    @Test
    void system_properties_are_outside() throws ConfigurationException {
        assertThat(new Variables(Map.of()).fill("key", "${java.version}"))
                .isEqualTo(System.getProperty("java.version"));
    }

    /** A password may look like one. */
    @ParameterizedTest
    @CsvSource({
        "password, pa${tiger}ss",
        "java.naming.security.credentials, ${tiger}",
        "connection.a.trustStorePassword, ${tiger}",
        "connectionFactory.a, jdbc:sqlserver://h;password=pa${tiger}",
        "connectionFactory.a, jdbc:postgresql://h/a?user=x&password=${tiger}",
        "connectionFactory.a, tcp://scott:${tiger}@h"
    })
    void what_may_be_a_part_of_a_password_is_not_shown(String key, String text) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> variables.fill(key, text))
                .withMessageContaining(key)
                .withMessageNotContaining("tiger");
    }

    @ParameterizedTest
    @CsvSource({
        "${missing}, missing",
        "${loop}, refers to itself",
        "${host, closing brace",
        "${missing:-${x}, closing brace"
    })
    void what_cannot_be_filled_in_is_refused(String text, String reason) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> variables.fill("key", text))
                .withMessageContaining("'key'")
                .withMessageContaining(reason);
    }
}
