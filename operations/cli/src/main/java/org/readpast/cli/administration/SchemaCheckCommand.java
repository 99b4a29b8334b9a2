package org.readpast.cli.administration;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.administration.SchemaCheck;
import org.readpast.operations.snapshot.Client;
import org.readpast.operations.snapshot.Facts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says before an upgrade who is too old for it. */
@Command(
        name = "check",
        description =
                "Says which connected JMS clients are too old for the version of the schema that this release installs.",
        mixinStandardHelpOptions = true)
public final class SchemaCheckCommand implements Callable<Integer> {

    private static final List<String> COLUMNS =
            List.of("host", "process", "release", "schema", "instance", "connected");

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws Exception {
        SchemaCheck check = target.look(look ->
                SchemaCheck.of(look.product(), Output.known(Facts.scripts(look)), Output.known(Facts.clients(look))));
        if (output.isJson()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("installed", check.installed());
            object.put("newest", check.newest());
            object.put("oldest client", check.oldestClient());
            object.put(
                    "too old",
                    check.tooOld().stream().map(SchemaCheckCommand::named).toList());
            output.json(object);
        } else {
            output.out().println(sentence(check));
            if (!check.tooOld().isEmpty()) {
                output.printRows(check.tooOld(), COLUMNS, SchemaCheckCommand::cells);
            }
        }
        return check.tooOld().isEmpty() ? ExitCode.DONE : ExitCode.FOUND;
    }

    private static String sentence(SchemaCheck check) {
        if (check.newest() == check.installed()) {
            return "The schema is of version " + check.installed() + ", and this release has none that is newer.";
        }
        return "The schema is of version " + check.installed() + ", and this release brings it to version "
                + check.newest() + ", for JMS clients of version " + check.oldestClient() + " and later. "
                + (check.tooOld().isEmpty() ? "Nobody who is connected is too old." : "These are too old:");
    }

    private static List<?> cells(Client client) {
        return Arrays.asList(
                client.host(),
                client.process(),
                client.release(),
                client.schemaVersion(),
                client.instance(),
                client.startedAt());
    }

    private static Map<String, Object> named(Client client) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("host", client.host());
        object.put("process", client.process());
        object.put("release", client.release());
        object.put("schema", client.schemaVersion());
        object.put("instance", client.instance());
        return object;
    }
}
