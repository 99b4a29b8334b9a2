package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The same in servers to which an application is deployed while they run, as it is not to Payara Micro. */
abstract class RedeploymentContract extends ApplicationContract {

    @Test
    void application_is_deployed_again_and_goes_on() throws Exception {
        int before = server.logged(listening());
        for (int i = 0; i < 3; i++) {
            server.deployAgain();
            server.order("again " + i, "");
            assertThat(receive("shipped", "again " + i, PATIENCE)).isNotNull();
        }
        // Nor has Tomcat or TomEE taken away what the adapter logs to.
        server.awaitLog(listening(), before + 3);
    }

    @Test
    void news_that_are_published_while_the_application_is_away_are_there_when_it_is_back() throws Exception {
        server.undeploy();
        publish("coffee", "meanwhile");
        server.deploy();
        assertThat(receive("shipped", "meanwhile", PATIENCE).getIntProperty("delivery"))
                .isOne();
        assertThat(rows("meanwhile")).isOne();
    }

    /** Servers differ in whether they tell the adapter at once, or wait for the message and refuse others meanwhile. */
    @Test
    void application_is_undeployed_in_the_middle_of_messages_and_each_is_delivered_once() throws Exception {
        List<String> messages = new ArrayList<>(List.of("held order", "held note"));
        CompletableFuture<Void> deployed;
        try (Held held = hold()) {
            send("orders", "held order");
            send("notes", "held note");
            held.awaitWaiting(2);
            deployed = CompletableFuture.runAsync(this::deployAgain);
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                for (String queue : List.of("orders", "notes")) {
                    messages.add(queue + " behind " + messages.size());
                    send(queue, messages.get(messages.size() - 1));
                }
                return server.isWithin("org.readpast.ra.beans.Activation.stop")
                        || server.logged("is shutting down") >= 2;
            });
        }
        deployed.get();
        assertEachIsShippedOnce(messages);
    }
}
