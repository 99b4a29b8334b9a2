package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.clients.servers.web.Shipping;

/** Tomcat, which has neither message-driven beans nor transactions of a container: an application of its own, with listeners. */
@ResourceLock("Tomcat")
class TomcatTest extends ServerContract {

    private static final String TRIED_AGAIN = "Tried again in a second";
    private static final String LISTENING = "5 listeners for queue://orders";

    /** As it was when the application had found its database. */
    private String firstLog;

    @Override
    Server start(String jdbcUrl, String user) throws IOException {
        return Tomcat.start(Edition.JAKARTA, jdbcUrl, user);
    }

    /** The database is there after the application has asked for it. */
    @Override
    void startBoth() throws Exception {
        server = startServer();
        server.awaitLog(TRIED_AGAIN, 1);
        startDatabase();
        server.awaitLog(LISTENING, 1);
        firstLog = server.log();
    }

    @Override
    String listening() {
        return LISTENING;
    }

    /** A session that is rolled back is not told why; the application logs it. */
    @Override
    String whyPoison() {
        return "delivered 5 times without being acknowledged";
    }

    /** It strikes each second. */
    @Override
    void setClock() {}

    @Test
    void files_that_are_copied_are_those_of_the_page() throws Exception {
        String page = Files.readString(Server.PAGES.resolve(Tomcat.PAGE));
        try (Stream<Path> libraries = Files.list(Tomcat.LIBRARIES);
                Stream<Path> files = Files.list(Server.FILES)) {
            assertThat(Stream.concat(libraries, files)
                            .map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".jar")))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Shipping", "Orders", "Counter"})
    void code_of_the_page_is_that_of_the_application(String name) throws Exception {
        String source = Files.readString(
                Path.of("src/test/java/org/readpast/clients/servers/web").resolve(name + ".java"));
        assertThat(Server.blocks(Tomcat.PAGE, "java")).anyMatch(block -> source.endsWith("\n\n" + block));
    }

    @Test
    void application_is_deployed_before_its_database_is_there() {
        assertThat(firstLog).contains(TRIED_AGAIN).contains(LISTENING);
    }

    @Test
    void servlet_sends_and_writes_a_row_in_one_transaction() throws Exception {
        server.order("wasted", "&rollback=true");
        server.order("juice", "");
        assertThat(receive("shipped", "juice", PATIENCE)).isNotNull();
        assertThat(rows("taken juice")).isOne();
        assertThat(rows("taken wasted")).isZero();
        assertThat(rows("wasted")).isZero();
    }

    @Test
    void application_is_undeployed_in_the_middle_of_a_message_and_each_is_delivered_once() throws Exception {
        List<String> messages = new ArrayList<>(List.of("held order"));
        CompletableFuture<Void> deployed;
        try (Held held = hold()) {
            send("orders", "held order");
            held.awaitWaiting(1);
            deployed = CompletableFuture.runAsync(this::deployAgain);
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                messages.add("order behind " + messages.size());
                send("orders", messages.get(messages.size() - 1));
                return server.isWithin(Shipping.class.getName() + ".contextDestroyed");
            });
        }
        deployed.get();
        assertEachIsShippedOnce(messages);
    }

    @Test
    void class_loaders_of_ten_deployments_do_not_stay() throws Exception {
        assertTenDeploymentsDoNotStay(Shipping.class);
    }
}
