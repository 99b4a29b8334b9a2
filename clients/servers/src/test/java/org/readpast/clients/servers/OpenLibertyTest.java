package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.readpast.jms.ReadpastConnectionFactory;

/** Open Liberty. */
@ResourceLock("Open Liberty")
class OpenLibertyTest extends ReleaseContract {

    @Override
    Server start(String jdbcUrl, String user) throws IOException, InterruptedException {
        return OpenLiberty.start(Edition.JAKARTA, jdbcUrl, user);
    }

    @Test
    void second_copy_of_the_provider_in_the_application_is_told_of() throws Exception {
        ((OpenLiberty) server())
                .deployAgainWith(Path.of(ReadpastConnectionFactory.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI()));
        server().order("copied", "");
        assertThat(receive("shipped", "copied", PATIENCE)).isNotNull();
        assertThat(server().log()).contains("The application has a copy of Readpast of its own");
        server().deployAgain();
    }

    /** A server.xml that is changed is taken over while the server runs. */
    @Test
    void DataSource_with_another_isolation_is_named_as_the_bean_connects_and_changed_while_the_server_runs()
            throws Exception {
        try (OpenLiberty other = OpenLiberty.startWithRepeatableRead("isolated", Edition.JAKARTA, jdbcUrl(), USER)) {
            other.awaitLog("Message-driven bean Orders of queue://orders: no messages until somebody mends this", 1);
            assertThat(other.log())
                    .contains("The connections of DataSource jdbc/Shop have the isolation REPEATABLE READ")
                    .contains("Open Liberty: isolationLevel=\"TRANSACTION_READ_COMMITTED\"");
            other.setReadCommitted();
            other.awaitLog("Message-driven bean Orders of queue://orders: messages are delivered again", 1);
        }
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
        return Integer.parseInt(of.get("control?destination=queue://orders" + more));
    }
}
