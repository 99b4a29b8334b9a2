package org.readpast.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The program as whoever runs it sees it. */
class VerifyTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return Verify.execute(new PrintStream(printed, true, StandardCharsets.UTF_8), arguments);
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void help_names_its_options() {
        assertThat(run("--help")).isZero();
        assertThat(text()).contains("--url", "--here");
    }

    @Test
    @EnabledIfSystemProperty(
            named = "readpast.test.sqlserver.url",
            matches = ".+",
            disabledReason = "NOT RUN: no SQL Server was given")
    void leaves_a_server_as_it_was() throws Exception {
        Server server = new Server(System.getProperty("readpast.test.sqlserver.url"), "none");
        String databases = "SELECT name FROM sys.databases WHERE name LIKE N'readpast[_]verify%'";
        List<String> before = server.rows(databases);

        run("--url", server.url());

        assertThat(text())
                .contains("To paste into an issue:\nreadpast verify | ")
                .containsPattern("(?m)^held +operations +move\\.sql")
                .containsPattern("(?m)^held +locks +a claim steps over what another one holds")
                .containsPattern("(?m)^held +locks +a DELETE and an UPDATE with READPAST step over what is claimed")
                .containsPattern("(?m)^held +messages +rolled back");
        assertThat(before).containsAll(server.rows(databases));
    }
}
