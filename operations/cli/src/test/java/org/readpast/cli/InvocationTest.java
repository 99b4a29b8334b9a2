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
        for (String command : List.of("queues", "hold q", "resume q")) {
            String[] words = (command + " --schema else-where").split(" ");
            assertThat(readpast(words).code()).as(command).isEqualTo(2);
        }
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
    void a_password_of_the_bridge_that_nobody_logs_in_with_is_refused() throws Exception {
        Path rules = Files.writeString(folder.resolve("rules.txt"), "name test\nover orders\n");
        for (Map.Entry<String, String> password : Map.of(
                        "READPAST_FROM_PASSWORD", "--from-user",
                        "READPAST_TO_PASSWORD", "--to-user")
                .entrySet()) {
            for (String what : List.of("--dry-run", "--left")) {
                Outcome refused = asProcess(
                        Map.of(password.getKey(), "s3cret"),
                        "",
                        "bridge",
                        "--from",
                        "readpast:jdbc:h2:mem:a;USER=sa",
                        "--to",
                        "readpast:jdbc:h2:mem:b;USER=sa",
                        "--rules",
                        rules.toString(),
                        what);
                assertThat(refused.code()).as(refused.err()).isEqualTo(2);
                assertThat(refused.err())
                        .contains(password.getKey(), password.getValue())
                        .doesNotContain("s3cret");
            }
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

    /** As it may come from somebody else, whom a file of this machine is none of the business of. */
    @Test
    void a_text_that_begins_with_an_at_sign_names_no_file() throws Exception {
        onPostgres();
        Path file = Files.writeString(folder.resolve("secret"), "--url jdbc:h2:mem:other");
        String text = "@" + file;
        Outcome sent = readpast("send", "orders", "--create", text);
        done(sent);
        assertThat(readpast("receive", "orders").out()).isEqualTo(text + "\n");
        done(asProcess(Map.of("READPAST_URL", url), "", "send", "orders", "--", "--priority"));
        assertThat(readpast("receive", "orders").out()).isEqualTo("--priority\n");
    }

    /** As cron has it, and a container. */
    @Test
    void arguments_keep_their_characters_where_no_locale_is_set() throws Exception {
        onPostgres();
        done(readpast("create", "orders"));
        String without = "unset LANG LC_ALL LC_CTYPE\n";
        done(script(without + LAUNCHER + " send orders 'S\u00fcd \u4e2d \ud83d\ude00'"));
        assertThat(readpast("receive", "orders").out()).isEqualTo("S\u00fcd \u4e2d \ud83d\ude00\n");
        Outcome refused = script(without + "export LC_ALL=C\n\"$JAVA_HOME/bin/java\" -jar "
                + LAUNCHER.resolveSibling("readpast.jar") + " purge orders --yes --where \"region <> 'S\u00fcd'\"");
        assertThat(refused.code()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains("LC_ALL=C.UTF-8");
    }

    /** Where 1 would mean that something was found, and 127 would be no code of the command's. */
    @Test
    void the_launcher_is_called_by_a_link_and_says_what_it_lacks() throws Exception {
        url = "jdbc:h2:mem:none";
        Path link = Files.createSymbolicLink(folder.resolve("readpast"), LAUNCHER);
        done(script("cd / && " + link + " --version"));

        Path alone = Files.copy(LAUNCHER, folder.resolve("alone"));
        Outcome withoutJar = script(alone + " --version");
        assertThat(withoutJar.code()).isEqualTo(7);
        assertThat(withoutJar.err()).contains("there is no " + folder.resolve("readpast.jar"));

        Path home = folder.resolve("jvm");
        Outcome withoutJava = script("JAVA_HOME=" + home + " " + LAUNCHER + " --version");
        assertThat(withoutJava.code()).isEqualTo(7);
        assertThat(withoutJava.err()).contains("there is no " + home.resolve("bin/java"), "Java 17");

        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        done(script("printf '#!/bin/sh\\nexit 0\\n' > " + java + "; chmod +x " + java));
        for (String version : List.of("1.8.0_292", "11.0.2")) {
            Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
            Outcome old = script("JAVA_HOME=" + home + " " + LAUNCHER + " --version");
            assertThat(old.code()).isEqualTo(7);
            assertThat(old.err()).contains("it needs Java 17");
        }
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        done(script("JAVA_HOME=" + home + " " + LAUNCHER + " --version"));
    }

    /** A file by its name alone says nothing, and what is in another encoding would be changed without a word. */
    @Test
    void files_and_input_that_cannot_be_read_are_told() throws Exception {
        onH2();
        done(readpast("create", "orders"));
        String missing = folder.resolve("nope.json").toString();
        Outcome imported = readpast("import", "orders", "--create", "--from", missing);
        assertThat(imported.code()).isEqualTo(7);
        assertThat(imported.err()).contains(missing + ": there is no such file");
        done(readpast("export", "orders", "--to", missing));
        assertThat(readpast("export", "orders", "--to", missing).err()).contains(missing + ": is there already");

        Path latin = Files.write(folder.resolve("latin"), new byte[] {'{', '"', (byte) 0xfc, '"'});
        for (String command : List.of("send", "import")) {
            Outcome piped = script("exec " + LAUNCHER + " " + command + " orders < " + latin);
            assertThat(piped.code()).as(piped.err()).isEqualTo(7);
            assertThat(piped.err()).contains("not in UTF-8");
        }
        assertThat(readpast("browse", "orders", "--json").json()).isEmpty();
        Path config = Files.writeString(folder.resolve("readpast.properties"), "user=s\u00fcd\n");
        Outcome login = readpast("queues", "--config", config.toString());
        assertThat(login.err()).contains("names a user");
    }

    /** Runs lines of a shell, whose characters are as they stand here, whatever the locale of this JVM. */
    private Outcome script(String lines) throws Exception {
        Path script = Files.writeString(folder.resolve("script"), lines + "\n");
        return execute(Map.of("READPAST_URL", url), "", "sh", script.toString());
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
