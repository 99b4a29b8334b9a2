package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.console.session.Job;
import org.readpast.console.view.Links;
import org.slf4j.LoggerFactory;

/** Actions on messages, which are procedures of the database. */
class PostgresActionsTest {

    private static final Pattern CHOICE = Pattern.compile("name=\"message\" value=\"([^\"]+)\"");
    private static final Duration TIME = Duration.ofSeconds(60);
    /** More than a thousand wait for who has the lock. */
    private static final String SLOW = "CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " IF (SELECT count(*) FROM readpast.delayed_message) > 1000 THEN PERFORM pg_advisory_xact_lock(1); END IF;"
            + " RETURN NEW; END $$;"
            + " CREATE TRIGGER slow AFTER INSERT ON readpast.delayed_message FOR EACH STATEMENT EXECUTE FUNCTION public.slow()";

    /** Awaits the end of a job, and returns its page. */
    private static String await(Caller caller, HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        String job = answer.headers().firstValue("Location").orElseThrow();
        soon().until(() -> !caller.page(job).contains("At work"));
        return caller.page(job);
    }

    private static ConditionFactory soon() {
        return Awaitility.await().atMost(TIME).pollInterval(Duration.ofMillis(50));
    }

    private static List<String> choices(String page) {
        List<String> found = new ArrayList<>();
        Matcher matcher = CHOICE.matcher(page);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void chosen_messages_are_moved_held_released_expired_and_deleted() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 10);
            stage.send("other", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            List<String> messages = choices(caller.page("/messages?queue=" + queue));
            assertThat(messages).hasSize(10);

            assertThat(await(
                            caller,
                            caller.form(
                                    "/act",
                                    "queue",
                                    queue,
                                    "action",
                                    "move",
                                    "target",
                                    "other",
                                    "which",
                                    "chosen",
                                    "message",
                                    messages.get(0),
                                    "message",
                                    messages.get(1))))
                    .contains("Done: 2 messages");
            assertThat(stage.depth("other")).isEqualTo(3);

            assertThat(await(caller, caller.act(queue, "hold", "chosen", "message", messages.get(2))))
                    .contains("Done: 1 message");
            List<String> held = choices(caller.page("/messages?queue=" + queue + "&later=yes"));
            assertThat(held).containsExactly(messages.get(2).replace("waiting:", "held:") + "/9999-12-31T00:00:00Z");
            assertThat(await(caller, caller.act(queue, "release", "chosen", "message", held.get(0))))
                    .contains("Done: 1 message");
            assertThat(stage.depth("orders")).isEqualTo(8);

            String asked = caller.act(queue, "delete", "chosen", "message", messages.get(3))
                    .body();
            assertThat(asked).contains("Delete one message of the queue <bdi>orders</bdi>? They are gone for good.");
            assertThat(stage.depth("orders")).isEqualTo(8);
            assertThat(await(caller, caller.act(queue, "delete", "chosen", "sure", "yes", "message", messages.get(3))))
                    .contains("Done: 1 message");
            assertThat(stage.depth("orders")).isEqualTo(7);

            assertThat(await(caller, caller.act(queue, "expire", "chosen", "sure", "yes", "message", messages.get(4))))
                    .contains("Done: 1 message");
            assertThat(stage.number("SELECT COUNT(*) FROM readpast.message WHERE expires_at <= statement_timestamp()"))
                    .isEqualTo(1);
        }
    }

    @Test
    void a_queue_that_is_moved_to_another_database_says_so() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String page = "/messages?queue=" + stage.id("orders");
            assertThat(caller.page(page)).doesNotContain("archive");
            stage.run(
                    "UPDATE readpast.destination SET moved = 'away', moved_database = 'archive' WHERE name = 'orders'");
            String says = ": nothing can be sent here, and what is here is received first";
            assertThat(caller.page(page))
                    .contains("The queue is moved to the database")
                    .contains(says);
            assertThat(caller.page("/queues")).contains(says);
        }
    }

    @Test
    void a_queue_is_paused_and_resumed_and_its_page_says_who_keeps_to_it() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            String page = "/messages?queue=" + queue;
            assertThat(caller.page(page)).contains("Pause both").doesNotContain("Resume");

            // Nobody is left who has to keep to it.
            stage.awaitNobody();
            assertThat(caller.form("/pause", "queue", queue, "what", "both").statusCode())
                    .isEqualTo(303);
            assertThat(caller.page(page))
                    .contains("Paused sending and receiving since")
                    .contains("All JVMs that are connected keep to it.")
                    .contains("Resume")
                    .doesNotContain("Pause both");
            assertThat(caller.page("/queues")).contains("sending and receiving");
            assertThat(caller.page("/")).contains("An administrator has paused sending and receiving");
            stage.run("INSERT INTO readpast.presence (instance, host, process)"
                    + " VALUES ('00000000-0000-0000-0000-000000000000', 'app-9', 'pid 1')");
            assertThat(caller.page(page)).contains("Not said yet by").contains("app-9");

            assertThat(caller.form("/pause", "queue", queue, "what", "nothing").statusCode())
                    .isEqualTo(303);
            assertThat(caller.page(page)).doesNotContain("Paused");
            assertThat(stage.number("SELECT COUNT(*) FROM readpast.audit WHERE action IN ('pause', 'resume')"))
                    .isEqualTo(2);
            assertThat(caller.form("/pause", "queue", queue, "what", "all").statusCode())
                    .isEqualTo(400);
            Caller reader = stage.signedIn(Stage.READER);
            assertThat(reader.page("/queues")).contains("orders");
            HttpResponse<String> refused = reader.form("/pause", "queue", queue, "what", "send");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("permission denied");
        }
    }

    /** Another program has written them: no sender can ask for such times. */
    @ParameterizedTest
    @ValueSource(strings = {"infinity", "12345-06-07 08:09:10+00"})
    void a_message_that_is_due_at_no_time_of_a_calendar_is_opened_and_deleted(String due) throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.jms(context -> context.createProducer()
                    .setDeliveryDelay(3_600_000)
                    .send(context.createQueue("orders"), "late one"));
            stage.run("UPDATE readpast.delayed_message SET due_at = '" + due + "'");
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            String page = caller.page("/messages?later=yes&queue=" + queue);

            Matcher link = Pattern.compile("href=\"(message[?][^\"]+)\"").matcher(page);
            assertThat(link.find()).isTrue();
            assertThat(caller.page(link.group(1).replace("&amp;", "&"))).contains("late one");
            assertThat(await(
                            caller,
                            caller.act(
                                    queue,
                                    "delete",
                                    "chosen",
                                    "sure",
                                    "yes",
                                    "message",
                                    choices(page).get(0))))
                    .contains("Done: 1 message");
            assertThat(stage.number("SELECT count(*) FROM readpast.delayed_message"))
                    .isZero();
        }
    }

    @Test
    void of_two_with_one_jms_message_id_the_one_that_was_chosen_is_done() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 3);
            stage.run("UPDATE readpast.message SET jms_message_id = 'ID:same'");
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            List<String> messages = choices(caller.page("/messages?queue=" + queue));
            long second = stage.number("SELECT message_id FROM readpast.message ORDER BY message_id OFFSET 1 LIMIT 1");
            assertThat(await(caller, caller.act(queue, "delete", "chosen", "sure", "yes", "message", messages.get(1))))
                    .contains("Done: 1 message");
            assertThat(stage.number("SELECT count(*) FROM readpast.message WHERE message_id = " + second))
                    .isZero();
            assertThat(stage.depth("orders")).isEqualTo(2);

            stage.run("UPDATE readpast.message SET delivery_count = delivery_count + 1, jms_message_id = NULL");
            assertThat(await(caller, caller.act(queue, "hold", "chosen", "message", messages.get(0))))
                    .as("it was delivered since")
                    .contains("Done: 0 messages");
            String anew = choices(caller.page("/messages?queue=" + queue)).get(0);
            assertThat(await(caller, caller.act(queue, "hold", "chosen", "message", anew)))
                    .as("without a JMSMessageID")
                    .contains("Done: 1 message");

            String lost = choices(caller.page("/messages?queue=" + queue)).get(0);
            stage.run("UPDATE readpast.message SET jms_timestamp = jms_timestamp + 1");
            assertThat(await(caller, caller.act(queue, "hold", "chosen", "message", lost)))
                    .as("a later one has its place")
                    .contains("Done: 0 messages");
        }
    }

    @Test
    void all_of_a_queue_are_asked_about_and_done() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 2500);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            caller.page("/messages?queue=" + queue);
            assertThat(caller.act(queue, "hold", "waiting").body())
                    .contains("Hold ALL messages that are waiting of the queue <bdi>orders</bdi>?");
            assertThat(stage.depth("orders")).isEqualTo(2500);
            assertThat(await(caller, caller.act(queue, "hold", "waiting", "sure", "yes")))
                    .contains("Done: 2500 messages");
            assertThat(stage.depth("orders")).isZero();
            assertThat(await(caller, caller.act(queue, "release", "held", "sure", "yes")))
                    .contains("Done: 2500 messages");
            assertThat(stage.depth("orders")).isEqualTo(2500);
        }
    }

    @Test
    void only_what_is_held_is_released() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.jms(context -> context.createProducer()
                    .setDeliveryDelay(3_600_000)
                    .send(context.createQueue("orders"), "tomorrow"));
            stage.send("orders", 2);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            caller.page("/messages?queue=" + queue);
            assertThat(await(caller, caller.act(queue, "hold", "waiting", "sure", "yes")))
                    .contains("Done: 2 messages");
            for (String which : List.of("delayed", "waiting", "expired")) {
                for (String where : List.of("", "number >= 0")) {
                    HttpResponse<String> refused = caller.act(queue, "release", which, "where", where, "sure", "yes");
                    assertThat(refused.statusCode()).as(which).isEqualTo(400);
                    assertThat(refused.body()).contains("Only messages that are held can be released");
                }
            }
            assertThat(stage.depth("orders")).isZero();
            List<String> later = choices(caller.page("/messages?queue=" + queue + "&later=yes"));
            assertThat(later).hasSize(3);
            String delayed = later.stream()
                    .filter(choice -> choice.startsWith("delayed:"))
                    .findFirst()
                    .orElseThrow();
            assertThat(caller.act(queue, "release", "chosen", "message", delayed)
                            .statusCode())
                    .isEqualTo(400);
            assertThat(await(
                            caller,
                            caller.act(
                                    queue,
                                    "release",
                                    "chosen",
                                    "message",
                                    later.get(0),
                                    "message",
                                    later.get(1),
                                    "message",
                                    later.get(2))))
                    .contains("Done: 2 messages");
            assertThat(stage.depth("orders")).isEqualTo(2);
            assertThat(await(caller, caller.act(queue, "hold", "waiting", "sure", "yes")))
                    .contains("Done: 2 messages");
            assertThat(await(caller, caller.act(queue, "release", "held", "sure", "yes")))
                    .contains("Done: 2 messages");
        }
    }

    @Test
    void a_retry_asks_about_the_dead_letters_that_are_retried() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.die("work", "DLQ", 2);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("DLQ"));
            caller.page("/messages?queue=" + queue);
            assertThat(caller.act(queue, "retry", "waiting").body())
                    .contains("Retry ALL dead letters of the queue <bdi>DLQ</bdi>?");
            assertThat(caller.act(queue, "retry", "held").body())
                    .contains("Retry ALL dead letters that are held of the queue <bdi>DLQ</bdi>?");
        }
    }

    @Test
    void a_subscription_is_not_taken_for_the_queue_of_the_same_name() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 3);
            stage.run("INSERT INTO readpast.destination (kind, name) VALUES ('S', 'orders'), ('S', 'alone')");
            stage.run("UPDATE readpast.message SET destination_id ="
                    + " (SELECT destination_id FROM readpast.destination WHERE name = 'alone')"
                    + " WHERE message_id = (SELECT min(message_id) FROM readpast.message)");
            Caller caller = stage.signedIn(Stage.OPERATOR);
            caller.page("/queues");
            String shadowed = Long.toString(stage.number(
                    "SELECT destination_id FROM readpast.destination WHERE kind = 'S' AND name = 'orders'"));
            HttpResponse<String> refused = caller.act(shadowed, "delete", "waiting", "sure", "yes");
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains("mean another queue by this name");
            assertThat(stage.depth("orders")).isEqualTo(2);

            String alone = Integer.toString(stage.id("alone"));
            assertThat(caller.act(alone, "delete", "waiting").body()).contains("of the subscription <bdi>alone</bdi>?");
            assertThat(await(caller, caller.act(alone, "delete", "waiting", "sure", "yes")))
                    .contains("Done: 1 message");
        }
    }

    @Test
    void two_operators_who_retry_the_same_five_thousand_retry_five_thousand() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.die("work", "DLQ", 5000);
            String queue = Integer.toString(stage.id("DLQ"));
            List<Caller> callers = new ArrayList<>();
            List<String> jobs = new ArrayList<>();
            for (int operator = 0; operator < 2; operator++) {
                Caller caller = stage.signedIn(Stage.OPERATOR);
                caller.page("/messages?queue=" + queue);
                callers.add(caller);
            }
            for (Caller caller : callers) {
                HttpResponse<String> answer = caller.act(queue, "retry", "waiting", "sure", "yes");
                jobs.add(answer.headers().firstValue("Location").orElseThrow());
            }
            long sum = 0;
            for (int operator = 0; operator < 2; operator++) {
                Caller caller = callers.get(operator);
                String job = jobs.get(operator);
                soon().until(() -> !caller.page(job).contains("At work"));
                Matcher done = Pattern.compile("Done: (\\d+) message").matcher(caller.page(job));
                assertThat(done.find()).isTrue();
                sum += Long.parseLong(done.group(1));
            }
            assertThat(sum).isEqualTo(5000);
            assertThat(stage.depth("work")).isEqualTo(5000);
            assertThat(stage.depth("DLQ")).isZero();
            Set<String> received = new HashSet<>();
            stage.jms(context -> {
                var consumer = context.createConsumer(context.createQueue("work"));
                for (Message message = consumer.receive(5000); message != null; message = consumer.receiveNoWait()) {
                    received.add(id(message));
                }
            });
            assertThat(received).hasSize(5000);
        }
    }

    private static String id(Message message) {
        try {
            return message.getJMSMessageID();
        } catch (jakarta.jms.JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_a_consumer_has_is_left_alone() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                JMSContext context = stage.factory().createContext(Session.SESSION_TRANSACTED)) {
            stage.send("orders", 3);
            assertThat(context.createConsumer(context.createQueue("orders")).receive(10_000))
                    .isNotNull();
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            caller.page("/messages?queue=" + queue);
            assertThat(await(caller, caller.act(queue, "delete", "waiting", "sure", "yes")))
                    .contains("Done: 2 messages");
            context.rollback();
        }
    }

    @Test
    void a_job_that_is_stopped_keeps_what_it_did_and_goes_on_when_it_is_started_again() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 5000);
            stage.run(SLOW);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            caller.page("/messages?queue=" + queue);
            try (var blocker = stage.connect()) {
                blocker.createStatement().execute("SELECT pg_advisory_lock(1)");
                HttpResponse<String> answer = caller.act(queue, "hold", "waiting", "sure", "yes");
                String job = answer.headers().firstValue("Location").orElseThrow();
                soon().until(() -> caller.page(job).contains("At work: 1000 messages so far."));
                assertThat(caller.act(queue, "hold", "waiting", "sure", "yes").statusCode())
                        .as("one at a time")
                        .isEqualTo(409);
                caller.page("/leases");
                caller.form("/stop", "job", job.replaceFirst(".*job=", ""));
                assertThat(await(caller, answer)).contains("Stopped: 1000 messages were done.");
            }
            assertThat(stage.depth("orders")).isEqualTo(4000);
            assertThat(await(caller, caller.act(queue, "hold", "waiting", "sure", "yes")))
                    .contains("Done: 4000 messages");
        }
    }

    /** His browser fetches its page all the time, and that is nothing that he does. */
    @Test
    void who_watches_an_action_for_longer_than_a_session_may_rest_sees_how_it_ends() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 2000);
            stage.run(SLOW);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            caller.page("/messages?queue=" + queue);
            String job;
            try (var blocker = stage.connect()) {
                blocker.createStatement().execute("SELECT pg_advisory_lock(1)");
                HttpResponse<String> answer = caller.act(queue, "hold", "waiting", "sure", "yes");
                job = answer.headers().firstValue("Location").orElseThrow();
                soon().until(() -> caller.page(job).contains("At work: 1000 messages so far."));
                stage.clock.forward(Duration.ofMinutes(16));
            }
            soon().until(() -> !caller.get(job, "X-Readpast-Live", "1").body().contains("At work"));
            HttpResponse<String> ended = caller.get(job, "X-Readpast-Live", "1");
            assertThat(ended.statusCode()).as(ended.body()).isEqualTo(200);
            assertThat(ended.body()).contains("Done: 2000 messages.");
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    /** What is logged of jobs meanwhile. */
    private static List<ILoggingEvent> logged(Work work) throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Job.class);
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            work.run();
            soon().until(() -> !lines.list.isEmpty());
            return lines.list;
        } finally {
            logger.setLevel(null);
            logger.detachAppender(lines);
        }
    }

    @Test
    void who_has_signed_out_finds_in_the_log_where_a_copy_goes_on() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 2500);
            stage.send("other", 1);
            String queue = Integer.toString(stage.id("orders"));
            List<ILoggingEvent> lines = logged(() -> {
                Caller caller = stage.signedIn(Stage.OPERATOR);
                caller.page("/queues");
                HttpResponse<String> answer =
                        caller.act(queue, "copy", "waiting", "target", "other", "sure", "yes", "rate", "200");
                String job = answer.headers().firstValue("Location").orElseThrow();
                soon().untilAsserted(() -> assertThat(caller.page(job)).containsPattern("[1-9]\\d* messages? so far"));
                caller.form("/sign-out");
            });
            Matcher after = Pattern.compile("copy of orders by .*, STOPPED, to go on: --after (\\S+)")
                    .matcher(lines.get(0).getFormattedMessage());
            assertThat(after.matches()).as(lines.toString()).isTrue();
            Caller again = stage.signedIn(Stage.OPERATOR);
            again.page("/queues");
            String[] rest = {"target", "other", "after", after.group(1), "sure", "yes"};
            assertThat(await(again, again.act(queue, "copy", "waiting", rest))).contains("Done: ");
            assertThat(stage.number("SELECT COUNT(DISTINCT properties->>'number') FROM readpast.message"
                            + " WHERE destination_id = " + stage.id("other")))
                    .isEqualTo(2500);
            assertThat(stage.depth("other")).isEqualTo(2501);
        }
    }

    @Test
    void the_log_has_the_code_of_the_error_that_an_action_failed_with() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 1);
            String queue = Integer.toString(stage.id("orders"));
            Caller reader = stage.signedIn(Stage.READER);
            reader.page("/queues");
            assertThat(logged(() -> reader.act(queue, "delete", "waiting", "sure", "yes")))
                    .first()
                    .satisfies(line -> assertThat(line.getFormattedMessage())
                            .startsWith("delete of orders by " + Stage.READER)
                            .endsWith("FAILED: 42501 (0)"));
        }
    }

    /** A batch has no more messages than may be done in a second, and none begins before its time. */
    @ParameterizedTest
    @ValueSource(strings = {"", "number >= 0"})
    void an_action_that_may_do_one_message_a_second_does_one_by_one_and_is_stopped_between(String where)
            throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 1000);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            caller.page("/messages?queue=" + queue);
            assertThat(caller.act(queue, "hold", "waiting", "where", where).body())
                    .contains("name=\"rate\"");
            assertThat(caller.act(queue, "hold", "waiting", "where", where, "sure", "yes", "rate", "0")
                            .statusCode())
                    .isEqualTo(400);
            HttpResponse<String> answer =
                    caller.act(queue, "hold", "waiting", "where", where, "sure", "yes", "rate", "1");
            String job = answer.headers().firstValue("Location").orElseThrow();
            soon().untilAsserted(() ->
                    assertThat(caller.page(job)).containsPattern("[1-9]\\d* messages? so far, at most 1 a second\\."));
            caller.form("/stop", "job", job.replaceFirst(".*job=", ""));
            assertThat(await(caller, answer)).contains("Stopped: ").doesNotContain("Stopped: 1000");
            assertThat(stage.depth("orders")).isBetween(1L, 999L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "number >= 0"})
    void copies_are_made_once_each_though_it_was_stopped_in_between(String where) throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 2500);
            stage.send("other", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            assertThat(caller.page("/messages?queue=" + queue)).contains(">Copy<");
            assertThat(caller.act(queue, "copy", "waiting", "where", where).statusCode())
                    .as("without a target")
                    .isEqualTo(400);
            assertThat(caller.act(queue, "copy", "waiting", "where", where, "target", "other")
                            .body())
                    .contains("Copy ALL messages that are waiting of the queue <bdi>orders</bdi>")
                    .contains("to <bdi>other</bdi>?");
            HttpResponse<String> answer = caller.act(
                    queue, "copy", "waiting", "where", where, "target", "other", "sure", "yes", "rate", "20");
            String job = answer.headers().firstValue("Location").orElseThrow();
            soon().untilAsserted(() -> assertThat(caller.page(job)).containsPattern("[1-9]\\d* messages? so far"));
            caller.form("/stop", "job", job.replaceFirst(".*job=", ""));
            String stopped = await(caller, answer);
            assertThat(stopped)
                    .contains("Stopped: ")
                    .doesNotContain("Stopped: 2500")
                    .contains("Go on with the rest here")
                    .contains("name=\"target\" value=\"other\"");
            Matcher after = Pattern.compile("name=\"after\" value=\"([^\"]+)\"").matcher(stopped);
            assertThat(after.find()).isTrue();
            assertThat(await(
                            caller,
                            caller.act(
                                    queue,
                                    "copy",
                                    "waiting",
                                    "where",
                                    where,
                                    "target",
                                    "other",
                                    "after",
                                    after.group(1),
                                    "sure",
                                    "yes")))
                    .contains("Done: ")
                    .doesNotContain("Go on");
            assertThat(stage.depth("orders")).isEqualTo(2500);
            assertThat(stage.depth("other")).isEqualTo(2501);
            assertThat(stage.number("SELECT COUNT(DISTINCT properties->>'number') FROM readpast.message"
                            + " WHERE destination_id = " + stage.id("other")))
                    .isEqualTo(2500);
        }
    }

    @Test
    void what_a_selector_chooses_is_asked_about_stopped_and_gone_on_with() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 2500);
            stage.run(SLOW);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String queue = Integer.toString(stage.id("orders"));
            String where = "number >= 500";
            assertThat(caller.page(Links.messages(stage.id("orders"), false, where, null)))
                    .contains("with all that wait in this queue and match the selector");
            assertThat(caller.act(queue, "hold", "waiting", "where", where).body())
                    .contains(
                            "Hold ALL messages that are waiting of the queue <bdi>orders</bdi> that match the selector"
                                    + " <bdi>number &gt;= 500</bdi>?");
            assertThat(caller.act(queue, "hold", "waiting", "where", "number >").statusCode())
                    .isEqualTo(400);
            String stopped;
            try (var blocker = stage.connect()) {
                blocker.createStatement().execute("SELECT pg_advisory_lock(1)");
                HttpResponse<String> answer = caller.act(queue, "hold", "waiting", "where", where, "sure", "yes");
                String job = answer.headers().firstValue("Location").orElseThrow();
                soon().until(() -> caller.page(job).contains("At work: 500 messages so far."));
                caller.form("/stop", "job", job.replaceFirst(".*job=", ""));
                stopped = await(caller, answer);
            }
            assertThat(stopped).contains("Stopped: 500 messages were done.", "Searched 1000 of about 2500.", ">Go on<");
            assertThat(stage.depth("orders")).isEqualTo(2000);
            Matcher after = Pattern.compile("name=\"after\" value=\"([^\"]+)\"").matcher(stopped);
            assertThat(after.find()).isTrue();
            assertThat(await(
                            caller,
                            caller.act(
                                    queue, "hold", "waiting", "where", where, "after", after.group(1), "sure", "yes")))
                    .contains("Done: 1500 messages.", "Searched 1500 of about 2000.")
                    .doesNotContain("Go on");
            assertThat(stage.depth("orders")).isEqualTo(500);
            assertThat(await(caller, caller.act(queue, "release", "held", "where", "number < 510", "sure", "yes")))
                    .contains("Done: 10 messages.");
            assertThat(stage.depth("orders")).isEqualTo(510);
            assertThat(caller.page("/history"))
                    .contains("<td>" + Stage.OPERATOR + "</td><td></td><td>release</td><td>orders</td><td></td>");
        }
    }

    @Test
    void the_database_refuses_a_reader_and_who_lost_his_right_while_the_page_was_open() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 3);
            String queue = Integer.toString(stage.id("orders"));
            Caller reader = stage.signedIn(Stage.READER);
            reader.page("/queues");
            assertThat(await(reader, reader.act(queue, "delete", "waiting", "sure", "yes")))
                    .contains("Failed: 0 messages", "permission denied");

            stage.login("console_fired", "readpast_manage");
            Caller fired = stage.signedIn("console_fired");
            assertThat(fired.page("/messages?queue=" + queue)).contains("name=\"action\"");
            stage.run("REVOKE readpast_manage FROM console_fired");
            HttpResponse<String> refused = fired.act(queue, "delete", "waiting", "sure", "yes");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("the login may not see it");
            assertThat(fired.page("/messages?queue=" + queue)).doesNotContain("name=\"action\"");
            assertThat(stage.depth("orders")).isEqualTo(3);
        }
    }

    @Test
    void a_target_that_is_not_there_is_said_and_nothing_is_lost() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 3);
            String queue = Integer.toString(stage.id("orders"));
            Caller caller = stage.signedIn(Stage.OPERATOR);
            caller.page("/queues");
            assertThat(await(
                            caller,
                            caller.form(
                                    "/act", "queue", queue, "action", "move", "target", "nowhere", "which", "waiting",
                                    "sure", "yes")))
                    .contains("Failed: 0 messages", "There is no queue");
            assertThat(caller.act(queue, "move", "waiting").statusCode()).isEqualTo(400);
            assertThat(caller.act(queue, "hold", "chosen").statusCode()).isEqualTo(400);
            assertThat(stage.depth("orders")).isEqualTo(3);
        }
    }

    @Test
    void signing_out_undoes_the_batch_that_a_job_is_at() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 3000);
            String queue = Integer.toString(stage.id("orders"));
            Caller caller = stage.signedIn(Stage.OPERATOR);
            caller.page("/queues");
            try (var blocker = stage.connect()) {
                blocker.setAutoCommit(false);
                blocker.createStatement().execute("LOCK TABLE readpast.delayed_message IN ACCESS EXCLUSIVE MODE");
                caller.act(queue, "hold", "waiting", "sure", "yes");
                Awaitility.await()
                        .atMost(TIME)
                        .until(() -> stage.number("SELECT COUNT(*) FROM pg_locks WHERE NOT granted") > 0);
                caller.form("/sign-out");
                Awaitility.await().atMost(TIME).until(() -> stage.connections() == 0);
                blocker.rollback();
            }
            assertThat(stage.depth("orders")).isEqualTo(3000);
        }
    }
}
