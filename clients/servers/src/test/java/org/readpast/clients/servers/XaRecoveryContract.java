package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Message;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same in servers that find out after their death what is in doubt, as TomEE does not. */
abstract class XaRecoveryContract extends XaContract {

    /** Whether the transaction manager tells those parts to prepare first that were enlisted last. */
    boolean preparesInReverse() {
        return false;
    }

    @ParameterizedTest
    @CsvSource({"first-prepare, 0, false", "last-prepare, 2, false", "first-commit, 2, true", "last-commit, 0, true"})
    void server_that_dies_is_recovered_without_the_application(String step, int inDoubt, boolean decided)
            throws Exception {
        send("in", step);
        String dies = step.endsWith("prepare") && preparesInReverse() ? other(step) : step;
        assertThatThrownBy(() -> server.get(moves() + "&dies=" + dies)).isInstanceOf(IOException.class);
        server.awaitDeath();
        assertThat(inDoubt()).isEqualTo(inDoubt);
        if (inDoubt > 0) {
            assertThat(receive("in", 1)).isNull();
            assertThat(receive("out", 1)).isNull();
        }
        server = start(false, false);
        await().atMost(Duration.ofMinutes(2)).until(() -> inDoubt() == 0);
        assertThat(entries(step)).isEqualTo(decided ? 1 : 0);
        Message once = receive(decided ? "out" : "in", PATIENCE);
        assertThat(once.getBody(String.class)).isEqualTo(step);
        assertThat(once.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        for (String queue : new String[] {"in", "out", "DLQ"}) {
            assertThat(receive(queue, 1)).as(queue).isNull();
        }
        deploy();
    }

    /** Has the application there, which is not. */
    void deploy() throws IOException, InterruptedException {
        server.deploy();
    }

    private static String other(String step) {
        return step.startsWith("first") ? step.replace("first", "last") : step.replace("last", "first");
    }

    @Test
    void bean_over_an_XA_DataSource_in_a_server_that_dies_has_done_it_once() throws Exception {
        send("orders", "cream", "ledger", names().ledger(), "manager", names().manager());
        server.awaitDeath();
        // The first database's part is committed, and the second one's is to be.
        assertThat(inDoubt()).isOne();
        server = start(false, true);
        await().atMost(Duration.ofMinutes(2)).until(() -> inDoubt() == 0);
        assertThat(receive("shipped", PATIENCE).getBody(String.class)).isEqualTo("cream");
        assertThat(entries("cream")).isOne();
        assertThat(number("shop", "SELECT COUNT(*) FROM shop_order WHERE item = 'cream'"))
                .isOne();
        assertThat(receive("orders", 1)).isNull();
        assertThat(receive("DLQ", 1)).isNull();
    }
}
