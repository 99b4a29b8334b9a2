package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Message;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** XA in WildFly 39. */
@ResourceLock("WildFly 39")
class WildFlyXaTest extends XaRecoveryContract {

    @Override
    Names names() {
        return WildFly.NAMES;
    }

    @Override
    Server start(boolean first, String jdbcUrl, String user, boolean deployed)
            throws IOException, InterruptedException {
        return WildFly.startWithXa(Edition.JAKARTA, first, jdbcUrl, user, deployed);
    }

    private void dieInDoubt(Server dying, String item) throws Exception {
        send("in", item);
        assertThatThrownBy(() -> dying.get(moves() + "&dies=first-commit")).isInstanceOf(IOException.class);
        dying.awaitDeath();
    }

    private void assertMoved(String item) throws Exception {
        Message once = receive("out", PATIENCE);
        assertThat(once.getBody(String.class)).isEqualTo(item);
        assertThat(once.getIntProperty("JMSXDeliveryCount")).isOne();
        assertThat(entries(item)).isOne();
    }

    /** The first server has looked more than once when the second one is there. */
    @Test
    void server_leaves_alone_what_another_one_with_the_same_databases_has_in_doubt() throws Exception {
        try (Server second = WildFly.startSecondWithXa(Edition.JAKARTA, true)) {
            dieInDoubt(second, "theirs");
        }
        dieInDoubt(server, "ours");
        assertThat(inDoubt()).isEqualTo(4);
        server = start(false, true);
        await().atMost(Duration.ofMinutes(2)).until(() -> inDoubt() == 2);
        assertMoved("ours");
        try (Server second = WildFly.startSecondWithXa(Edition.JAKARTA, false)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> inDoubt() == 0);
            assertMoved("theirs");
            assertThat(second.log()).doesNotContain("node identifier is");
        }
        assertThat(receive("in", 1)).isNull();
        assertThat(receive("DLQ", 1)).isNull();
    }
}
