package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the command line makes of its arguments, its environment and the rights of its login. */
class InvocationTest extends Commands {

    @Test
    void bad_input_is_told_apart() throws Exception {
        onPostgres();
        assertThat(readpast().code()).isEqualTo(2);
        assertThat(readpast("quues").code()).isEqualTo(2);
        Outcome unknown = readpast("browse", "nothing");
        assertThat(unknown.code()).isEqualTo(5);
        assertThat(unknown.err()).contains("nothing does not exist");
        assertThat(readpast("move", "nothing", "other").code()).isEqualTo(5);
        assertThat(readpast("queues", "--schema", "elsewhere").code()).isEqualTo(5);
        assertThat(readpast("doctor", "--schema", "elsewhere").code()).isEqualTo(5);
        assertThat(readpast(Map.of("READPAST_URL", "jdbc:postgresql://127.0.0.1:1/x"), "", "queues")
                        .code())
                .isEqualTo(3);
        assertThat(readpast("queues", "--user", "nobody").code()).isEqualTo(2);
        String withoutUser = url.replaceFirst("[?&]user=postgres", "");
        assertThat(readpast(Map.of("READPAST_URL", withoutUser), "", "queues", "--user", "nobody")
                        .code())
                .isEqualTo(3);
        assertThat(readpast("verify").code()).isEqualTo(2);
    }

    @Test
    void who_lacks_a_right_is_told_which() throws Exception {
        onPostgres();
        run("CREATE ROLE watcher LOGIN; GRANT USAGE ON SCHEMA readpast TO watcher");
        try {
            Map<String, String> watcher =
                    Map.of("READPAST_URL", url.replaceFirst("[?&]user=postgres", ""), "READPAST_USER", "watcher");
            Outcome queues = readpast(watcher, "", "queues");
            assertThat(queues.code()).isEqualTo(4);
            assertThat(queues.err()).contains("Missing: GRANT SELECT ON readpast.queue_depth");
            assertThat(readpast(watcher, "", "purge", "orders", "--yes").code()).isEqualTo(4);
            Outcome received = readpast(watcher, "", "receive", "orders");
            assertThat(received.code()).as(received.err()).isEqualTo(4);
        } finally {
            run("DROP OWNED BY watcher; DROP ROLE watcher");
        }
    }

    @Test
    void who_may_pause_and_not_see_it_is_told_so() throws Exception {
        onPostgres();
        done(readpast("create", "orders"));
        run("CREATE ROLE pauser LOGIN; GRANT USAGE ON SCHEMA readpast TO pauser;"
                + " GRANT EXECUTE ON FUNCTION readpast.pause(text, text, text) TO pauser");
        try {
            Map<String, String> pauser =
                    Map.of("READPAST_URL", url.replaceFirst("[?&]user=postgres", ""), "READPAST_USER", "pauser");
            Outcome paused = readpast(pauser, "", "pause", "orders");
            assertThat(paused.code()).as(paused.err()).isEqualTo(4);
            assertThat(paused.err()).contains("is paused", "Missing: GRANT").doesNotContain("resumed");
        } finally {
            run("DROP OWNED BY pauser; DROP ROLE pauser");
        }
    }

    @Test
    void a_password_is_no_argument_and_is_not_printed() throws Exception {
        url = "jdbc:h2:" + folder.resolve("secret").toString().replace('\\', '/') + ";USER=sa;PASSWORD=opensesame";
        install();
        String plain = url.replace(";USER=sa;PASSWORD=opensesame", "");
        Outcome refused = readpast(Map.of(), "", "queues", "--url", url);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("READPAST_PASSWORD").doesNotContain("opensesame");
        Outcome wrong =
                readpast(Map.of("READPAST_PASSWORD", "closesesame"), "", "queues", "--url", plain, "--user", "sa");
        assertThat(wrong.code()).isEqualTo(3);
        assertThat(wrong.err()).doesNotContain("closesesame");
        Path file = Files.writeString(folder.resolve("password"), "opensesame\n");
        done(readpast(Map.of(), "", "queues", "--url", plain, "--user", "sa", "--password-file", file.toString()));
        // What is given as an argument counts more than what the environment has.
        done(readpast(
                Map.of("READPAST_PASSWORD", "closesesame"),
                "",
                "queues",
                "--url",
                plain,
                "--user",
                "sa",
                "--password-file",
                file.toString()));
        Path config = Files.writeString(
                folder.resolve("readpast.properties"), "url=" + plain + "\nuser=sa\npassword=opensesame\n");
        done(readpast(Map.of(), "", "queues", "--config", config.toString()));
        done(readpast(Map.of("READPAST_PASSWORD", "opensesame"), "", "queues", "--url", plain, "--user", "sa"));
        for (String misspelt :
                List.of("jdbc:sqlserv://db;user=a;password=s3cret", "jdbc:h2:mem:x;USER=a;PASSWORD=s3cret;x")) {
            for (String command : List.of("doctor", "audit")) {
                Outcome unknown = readpast(Map.of("READPAST_URL", misspelt), "", command);
                assertThat(unknown.code()).isNotZero();
                assertThat(unknown.err() + unknown.out())
                        .contains(misspelt.substring(0, misspelt.indexOf(':', 5)))
                        .doesNotContain("s3cret");
            }
        }
    }

    @Test
    void completion_and_help_know_the_commands() throws Exception {
        url = "jdbc:h2:mem:none";
        assertThat(Files.readString(LAUNCHER.resolveSibling("readpast_completion")))
                .contains("doctor")
                .contains("subscriptions");
        assertThat(readpast("--help").out()).contains("doctor").contains("purge");
        assertThat(readpast("--version").out()).matches("readpast \\d+\\.\\d+\\.\\d+\\S*\\R");
        assertThat(readpast("help", "move").out()).contains("--dry-run");
    }
}
