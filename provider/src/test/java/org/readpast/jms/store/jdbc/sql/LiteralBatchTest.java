package org.readpast.jms.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.MessageKey;

/** The text of a batch that carries its parameters as literals. */
class LiteralBatchTest {

    private static LiteralBatch batch(String text) {
        return new LiteralBatch(SqlScript.parse("test", text));
    }

    @Test
    void parameters_become_literals_where_they_stand() {
        UUID token = new UUID(1, 2);

        assertThat(batch("-- :n\nEXECUTE p ':keys?', :keys, :n, :token, :n;")
                        .set("token", token)
                        .set("n", -3)
                        .set("keys", List.of(new MessageKey(7, 5, 9_000_000_000L), new MessageKey(7, 9, 2)))
                        .text())
                .isEqualTo("\nEXECUTE p ':keys?', N'[[7,5,9000000000],[7,9,2]]', -3, N'" + token + "', -3;");
    }

    @Test
    void no_keys_are_an_empty_array() {
        assertThat(batch("SELECT :keys").set("keys", List.of()).text()).isEqualTo("SELECT N'[]'");
    }

    @Test
    void what_was_not_set_is_not_sent() {
        assertThatThrownBy(() -> batch("SELECT :one, :two").set("one", 1).text())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("test");
    }

    @Test
    void a_parameter_that_is_not_there_is_refused() {
        assertThatThrownBy(() -> batch("SELECT :one").set("two", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(":two");
    }

    @Test
    void no_batch_has_a_brace_which_the_driver_would_take_for_an_escape() {
        SqlFiles files = new SqlFiles("sqlserver", "readpast");

        assertThat(List.of("acknowledge_and_commit", "acknowledge_and_look", "mark_and_commit"))
                .allSatisfy(name -> assertThat(files.statement(name).text()).doesNotContain("{"));
    }
}
