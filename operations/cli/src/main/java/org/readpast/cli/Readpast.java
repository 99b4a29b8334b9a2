package org.readpast.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.readpast.cli.administration.BridgeCommand;
import org.readpast.cli.administration.ConsoleCommand;
import org.readpast.cli.administration.CreateCommand;
import org.readpast.cli.administration.DisconnectCommand;
import org.readpast.cli.administration.DropCommand;
import org.readpast.cli.administration.MoveQueueCommand;
import org.readpast.cli.administration.PauseCommand;
import org.readpast.cli.administration.ResumeCommand;
import org.readpast.cli.administration.VerifyCommand;
import org.readpast.cli.bench.BenchCommand;
import org.readpast.cli.exporter.ExporterCommand;
import org.readpast.cli.looks.AuditCommand;
import org.readpast.cli.looks.DoctorCommand;
import org.readpast.cli.looks.Looks;
import org.readpast.cli.looks.StatusCommand;
import org.readpast.cli.looks.WatchCommand;
import org.readpast.cli.messages.BrowseCommand;
import org.readpast.cli.messages.ExportCommand;
import org.readpast.cli.messages.ImportCommand;
import org.readpast.cli.messages.ReceiveCommand;
import org.readpast.cli.messages.Repairs;
import org.readpast.cli.messages.SendCommand;
import org.readpast.cli.messages.ShowCommand;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Failure;
import org.readpast.cli.terminal.Output;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. {@link ExitCode} says what its exit codes mean. */
@Command(
        name = "readpast",
        description = "Looks after the messages of Readpast in a database.",
        mixinStandardHelpOptions = true,
        versionProvider = Readpast.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        usageHelpAutoWidth = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:It was done; doctor: nothing is wrong that is not silenced.",
            "1:Doctor found something, schema check somebody who is too old, pause a JVM that does not keep to it, move-queue messages that are left, export messages that cannot be read, or verify something that does not hold; or there was nothing to work on.",
            "2:The command was not understood, or the database has no such command.",
            "3:There is no connection: wrong address, wrong login, or the database is gone.",
            "4:The login has not the right.",
            "5:There is no such queue, topic, schema or session; or the queue to drop has messages or consumers.",
            "6:The question was not answered with yes.",
            "7:Anything else."
        },
        subcommands = {
            StatusCommand.class,
            DoctorCommand.class,
            Looks.Queues.class,
            Looks.Consumers.class,
            Looks.Clients.class,
            Looks.Subscriptions.class,
            Looks.Leases.class,
            Looks.Groups.class,
            Looks.DeadLetterCounts.class,
            Looks.History.class,
            Looks.Schema.class,
            AuditCommand.class,
            WatchCommand.class,
            ExporterCommand.class,
            ConsoleCommand.class,
            BrowseCommand.class,
            ShowCommand.class,
            SendCommand.class,
            ReceiveCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            Repairs.Move.class,
            Repairs.Copy.class,
            Repairs.Retry.class,
            Repairs.Delete.class,
            Repairs.Purge.class,
            Repairs.Expire.class,
            Repairs.Hold.class,
            Repairs.Release.class,
            PauseCommand.class,
            ResumeCommand.class,
            MoveQueueCommand.class,
            CreateCommand.class,
            DropCommand.class,
            DisconnectCommand.class,
            BridgeCommand.class,
            BenchCommand.class,
            VerifyCommand.class,
            CommandLine.HelpCommand.class
        })
public final class Readpast implements Runnable {

    /** What the jar's manifest says. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"readpast " + Readpast.class.getPackage().getImplementationVersion()};
        }
    }

    /** What Java takes a character for that the locale does not have. */
    private static final String UNKNOWN_CHARACTER = "\uFFFD";

    @Spec
    private CommandSpec spec;

    /**
     * @param arguments see {@code readpast help}
     */
    public static void main(String[] arguments) {
        // Not logback.xml, since the verification has one.
        System.setProperty("logback.configurationFile", "readpast-log.xml");
        CommandLine line = commandLine();
        line.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        System.exit(run(line, arguments));
    }

    private static int run(CommandLine line, String[] arguments) {
        if (Stream.of(arguments).anyMatch(argument -> argument.contains(UNKNOWN_CHARACTER))) {
            line.getErr()
                    .println("readpast: an argument has characters that this locale does not have: set LC_ALL=C.UTF-8,"
                            + " or another UTF-8 locale of this machine");
            return ExitCode.USAGE;
        }
        int code;
        try {
            code = line.execute(arguments);
        } catch (Error e) {
            // Java itself would return 1, which means that something was found.
            line.getErr().println("readpast: " + e);
            return ExitCode.FAILED;
        }
        if (line.getOut().checkError() && code == ExitCode.DONE) {
            line.getErr().println("readpast: " + Output.NOT_WRITTEN);
            return ExitCode.FAILED;
        }
        return code;
    }

    /** All commands, with the exit codes of their errors. */
    public static CommandLine commandLine() {
        return new CommandLine(new Readpast())
                .setCaseInsensitiveEnumValuesAllowed(true)
                // An argument may be a text of somebody else's, whom no file is to be read for.
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler((error, command, parsed) -> {
                    Failure failure = Failure.of(error);
                    command.getErr().println("readpast " + command.getCommandName() + ": " + failure.text());
                    return failure.code();
                });
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command? See readpast help");
    }
}
