package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A form that a browser sends twice, as by a double click, does what it says once. */
class SentTwiceTest {

    private static final Duration TIME = Duration.ofSeconds(60);

    private static final Pattern FORM =
            Pattern.compile("<form method=\"post\" action=\"act\">.*?</form>", Pattern.DOTALL);
    private static final Pattern FIELD =
            Pattern.compile("<input type=\"(?:hidden|checkbox)\" name=\"(\\w+)\" value=\"([^\"]*)\"");

    /** What the form of a page has in it, with more names and values by turns. */
    private static String[] form(String page, String... more) {
        Matcher form = FORM.matcher(page);
        assertThat(form.find()).as(page).isTrue();
        List<String> fields = new ArrayList<>(List.of(more));
        FIELD.matcher(form.group())
                .results()
                .filter(field -> !field.group(1).equals("csrf"))
                .forEach(field -> {
                    fields.add(field.group(1));
                    fields.add(field.group(2));
                });
        return fields.toArray(String[]::new);
    }

    private static String[] copy(String page, String which) {
        return form(page, "action", "copy", "which", which, "target", "other");
    }

    private static String job(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        return answer.headers().firstValue("Location").orElseThrow();
    }

    private static String awaitEnd(Caller caller, String job) {
        return await().atMost(TIME).until(() -> caller.page(job), page -> !page.contains("At work"));
    }

    @Test
    void copy_is_made_once() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 1);
            stage.send("other", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String page = caller.page("/messages?queue=" + stage.id("orders"));
            String[] copy = copy(page, "chosen");
            String job = job(caller.form("/act", copy));
            assertThat(awaitEnd(caller, job)).contains("Done: 1 message");
            assertThat(job(caller.form("/act", copy))).isEqualTo(job);
            awaitEnd(caller, job);
            assertThat(stage.depth("other")).isEqualTo(2);
            String[] again = copy(caller.page("/messages?queue=" + stage.id("orders")), "chosen");
            assertThat(awaitEnd(caller, job(caller.form("/act", again)))).contains("Done: 1 message");
            assertThat(stage.depth("other")).isEqualTo(3);
        }
    }

    @Test
    void action_that_is_to_be_sure_is_confirmed_once() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 3);
            stage.send("other", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String page = caller.page("/messages?queue=" + stage.id("orders"));
            HttpResponse<String> question = caller.form("/act", copy(page, "waiting"));
            assertThat(question.statusCode()).isEqualTo(200);
            String[] yes = form(question.body(), "action", "copy");
            String job = job(caller.form("/act", yes));
            assertThat(awaitEnd(caller, job)).contains("Done: 3 messages");
            assertThat(job(caller.form("/act", yes))).isEqualTo(job);
            awaitEnd(caller, job);
            assertThat(stage.depth("other")).isEqualTo(4);
        }
    }

    /** Back asks for the page of the question again. */
    @Test
    void question_that_is_asked_again_orders_again() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 3);
            stage.send("other", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String page = caller.page("/messages?queue=" + stage.id("orders"));
            String[] copy = copy(page, "waiting");
            String first =
                    job(caller.form("/act", form(caller.form("/act", copy).body(), "action", "copy")));
            awaitEnd(caller, first);
            String second =
                    job(caller.form("/act", form(caller.form("/act", copy).body(), "action", "copy")));
            assertThat(second).isNotEqualTo(first);
            awaitEnd(caller, second);
            assertThat(stage.depth("other")).isEqualTo(7);
        }
    }

    /** As where its page stays open, since the answer was opened in another tab. */
    @Test
    void form_that_says_something_else_the_second_time_is_refused() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 1);
            stage.send("other", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String page = caller.page("/messages?queue=" + stage.id("orders"));
            String first = job(caller.form("/act", copy(page, "chosen")));
            awaitEnd(caller, first);
            HttpResponse<String> second = caller.form("/act", form(page, "action", "hold", "which", "chosen"));
            assertThat(second.statusCode()).isEqualTo(409);
            assertThat(second.body()).contains("load the page anew");
            assertThat(stage.depth("orders")).isEqualTo(1);
        }
    }

    @Test
    void rest_of_a_job_is_gone_on_with_once() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 2500);
            stage.send("other", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            caller.page("/messages?queue=" + stage.id("orders"));
            String first = job(caller.act(
                    Integer.toString(stage.id("orders")),
                    "copy",
                    "waiting",
                    "target",
                    "other",
                    "sure",
                    "yes",
                    "rate",
                    "20"));
            await().atMost(TIME)
                    .until(
                            () -> caller.page(first),
                            page -> page.contains("messages so far") && !page.contains("At work: 0 messages"));
            caller.form("/stop", "job", first.replaceFirst(".*job=", ""));
            String stopped = awaitEnd(caller, first);
            assertThat(stopped).contains("Stopped: ", ">Go on<");
            // Without its rate the rest is copied at once.
            String[] goOn =
                    form(stopped.replaceFirst("<input type=\"hidden\" name=\"rate\"[^>]*>", ""), "action", "copy");
            String second = job(caller.form("/act", goOn));
            assertThat(awaitEnd(caller, second)).contains("Done: ");
            assertThat(job(caller.form("/act", goOn))).isEqualTo(second);
            awaitEnd(caller, second);
            assertThat(stage.depth("other")).isEqualTo(2501);
            assertThat(caller.page(first)).doesNotContain(">Go on<").contains(second);
        }
    }

    @Test
    void form_without_the_number_of_its_job_is_refused() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            caller.page("/messages?queue=" + stage.id("orders"));
            for (String job : List.of("", "1-1-1-1-1x", "<b>")) {
                assertThat(caller.act(
                                        Integer.toString(stage.id("orders")),
                                        "hold",
                                        "waiting",
                                        "sure",
                                        "yes",
                                        "job",
                                        job)
                                .statusCode())
                        .isEqualTo(400);
            }
            assertThat(stage.depth("orders")).isEqualTo(1);
        }
    }
}
