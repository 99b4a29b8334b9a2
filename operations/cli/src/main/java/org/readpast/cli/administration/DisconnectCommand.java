package org.readpast.cli.administration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Failure;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Question;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.database.Product;
import org.readpast.operations.server.ClientSession;
import org.readpast.operations.snapshot.Facts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends sessions of the database. */
@Command(
        name = "disconnect",
        description =
                "Ends one session of the database, or all that a JVM has. Its transactions are rolled back, and their messages go to"
                        + " others. A JVM that lives connects anew.",
        mixinStandardHelpOptions = true)
public final class DisconnectCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Mixin
    private Question question;

    @Parameters(
            paramLabel = "SESSION|PID@HOST",
            description =
                    "The number of a session, as doctor shows it, or the end of the name of a JVM's connections, as 4711@app-3.")
    private String whom;

    @Option(names = "--dry-run", description = "Only say which sessions these are.")
    private boolean isDryRun;

    @Override
    public Integer call() throws Exception {
        List<ClientSession> found = target.look(look -> {
            if (look.product() == Product.H2) {
                throw new IllegalArgumentException(
                        "H2 does not say when a session began: CALL ABORT_SESSION(number) ends one");
            }
            return Output.known(Facts.clientSessions(look));
        });
        List<ClientSession> meant = found.stream().filter(this::isMeant).toList();
        if (meant.isEmpty()) {
            throw new Failure.Refused(ExitCode.NOT_THERE, "no client has a session " + whom + " in this database");
        }
        if (meant.stream().anyMatch(session -> session.loginKey() == null)) {
            throw new Failure.Refused(
                    ExitCode.NO_RIGHT,
                    "not known: the login may not see when these sessions began. Missing: GRANT pg_read_all_stats");
        }
        if (isDryRun) {
            show(meant);
            return ExitCode.DONE;
        }
        question.ask("End "
                + String.join(", ", meant.stream().map(DisconnectCommand::words).toList()) + "?");
        List<ClientSession> ended = target.administer(administration -> {
            List<ClientSession> done = new ArrayList<>();
            for (ClientSession session : meant) {
                if (administration.endSession(session)) {
                    done.add(session);
                }
            }
            return done;
        });
        if (output.isJson()) {
            output.json(Map.of("ended", ended.stream().map(ClientSession::id).toList()));
        } else {
            ended.forEach(session -> output.out().println("ended " + words(session)));
        }
        return ended.isEmpty() ? ExitCode.FOUND : ExitCode.DONE;
    }

    private boolean isMeant(ClientSession session) {
        return whom.matches("\\d+")
                ? whom.equals(String.valueOf(session.id()))
                : session.program() != null
                        && whom.contains("@")
                        && (session.program().equals(whom) || session.program().endsWith(" " + whom));
    }

    private static String words(ClientSession session) {
        return Output.plain("session " + session.id() + " (" + session.program() + ", login " + session.login() + ")");
    }

    private void show(List<ClientSession> sessions) {
        output.printRows(
                sessions,
                List.of("session", "program", "host", "login", "since", "state", "transaction since"),
                session -> Arrays.asList(
                        session.id(),
                        session.program(),
                        session.host(),
                        session.login(),
                        session.loginAt(),
                        session.state(),
                        session.since()));
    }
}
