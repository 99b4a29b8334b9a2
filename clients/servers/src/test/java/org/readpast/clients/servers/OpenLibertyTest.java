package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Open Liberty. */
class OpenLibertyTest extends JakartaServerContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return OpenLiberty.start(Edition.JAKARTA, jdbcUrl, user);
    }

    @Test
    void class_loaders_of_ten_deployments_do_not_stay() throws Exception {
        classLoadersDoNotStay();
    }

    /** The first delivery is on the first node, which is paused before that fails. */
    @Test
    void two_nodes_deliver_exactly_as_often_as_they_may() throws Exception {
        int before = failures(server(), "");
        try (Server second = OpenLiberty.start("second", Edition.JAKARTA, jdbcUrl(), USER)) {
            failures(second, "&operation=pause");
            try (Held held = hold()) {
                server().order("poison held by one", "");
                held.awaitWaiting(1);
                failures(server(), "&operation=pause");
                failures(second, "&operation=resume");
            }
            Message dead = receive("DLQ", "poison held by one", PATIENCE);
            assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(5);
            assertThat(failures(server(), "") - before).isOne();
            assertThat(failures(second, "")).isEqualTo(4);
        } finally {
            failures(server(), "&operation=resume");
        }
    }

    private static int failures(Server of, String more) throws IOException, InterruptedException {
        return Integer.parseInt(of.get("control?queue=orders" + more));
    }
}
