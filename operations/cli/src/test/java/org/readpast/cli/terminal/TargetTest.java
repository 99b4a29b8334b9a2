package org.readpast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TargetTest {

    @TempDir
    Path folder;

    @Test
    void login_in_a_url_of_sql_server_may_have_any_character() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "a;b}c#d\n");
        Target target = CommandLine.populateCommand(
                new Target(), "--url", "jdbc:sqlserver://db", "--user", "x;y}", "--password-file", password.toString());

        assertThat(target.urlWithLogin()).isEqualTo("jdbc:sqlserver://db;user={x;y}}};password={a;b}}c#d}");
    }
}
