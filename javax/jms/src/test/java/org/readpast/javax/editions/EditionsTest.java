package org.readpast.javax.editions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both editions in one JVM, each in a class loader of its own, on one schema at the same time. */
class EditionsTest {

    private static final String URL = "readpast:jdbc:h2:mem:editions;DB_CLOSE_DELAY=-1#idleCloseMillis=0";
    private static final int KINDS = 6;

    private static Map<String, Party> parties;
    private static JakartaLoader loader;

    private final String name = "editions." + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        loader = JakartaLoader.over(Path.of("target", "jakarta-edition"));
        parties = Map.of("javax", new JmsParty(URL), "jakarta", loader.party(URL));
    }

    @AfterAll
    static void neither_leaves_a_thread_behind() throws Exception {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(thread -> thread.startsWith("readpast-")));
        loader.close();
    }

    @Test
    void each_has_its_own_api() {
        parties.forEach((edition, party) -> assertThat(party.api()).isEqualTo(edition + ".jms"));
    }

    @ParameterizedTest
    @CsvSource({"javax, jakarta", "jakarta, javax"})
    void messages_of_all_kinds_are_in_one_edition_what_they_are_in_the_other(String sender, String receiver)
            throws Exception {
        Party sending = parties.get(sender);
        sending.sendAllKinds(name);
        List<Map<String, Object>> seenBySender = sending.receive(name, KINDS);
        sending.sendAllKinds(name);
        List<Map<String, Object>> seenByOther = parties.get(receiver).receive(name, KINDS);

        assertThat(seenByOther).isEqualTo(seenBySender);
        assertThat(seenByOther)
                .allSatisfy(message -> assertThat(message)
                        .containsEntry("property flag", true)
                        .containsEntry("property real", 5.5f)
                        .containsEntry("property JMSXGroupID", "customers")
                        .containsEntry("replyTo", "topic://replies")
                        .containsEntry("correlationId", "order-1"));
        assertThat(seenByOther)
                .extracting(message -> message.get("body"))
                .contains("no body", "é😀\n", new Parcel("coffee", new BigDecimal("2.50"), List.of(1, 2)));
    }

    @ParameterizedTest
    @CsvSource({"javax, jakarta", "jakarta, javax"})
    void a_consumer_that_waits_in_one_edition_gets_what_the_other_sends(String asking, String answering)
            throws Exception {
        FutureTask<Void> answer = new FutureTask<>(() -> {
            parties.get(answering).answer(name);
            return null;
        });
        new Thread(answer, "answers").start();
        assertThat(parties.get(asking).request(name, "well?")).isEqualTo("well? answered");
        answer.get();
    }

    /** The way from javax to jakarta, and back where it has to be. */
    @ParameterizedTest
    @CsvSource({"javax, jakarta", "jakarta, javax"})
    void a_durable_subscription_goes_on_in_the_other_edition(String before, String after) throws Exception {
        assertThat(parties.get(before).subscribe(name, "orders")).isEmpty();
        parties.get(before).publish(name, "one");
        parties.get(after).publish(name, "two");
        assertThat(parties.get(after).subscribe(name, "orders")).containsExactly("one", "two");
        assertThat(parties.get(before).subscribe(name, "orders")).isEmpty();
    }
}
