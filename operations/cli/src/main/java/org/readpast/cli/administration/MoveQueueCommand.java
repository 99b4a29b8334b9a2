package org.readpast.cli.administration;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.readpast.cli.messages.QueueName;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Failure;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Question;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.administration.QueueMove;
import org.readpast.operations.snapshot.Client;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves a queue to another database of the routes. */
@Command(
        name = "move-queue",
        description =
                "Moves a queue to another database of the configuration's routes while it is used. From now on it is sent to there; what is in the"
                        + " old place is received first. Waits until nothing is left there, so that consumers turn; called again it waits on.",
        mixinStandardHelpOptions = true)
public final class MoveQueueCommand implements Callable<Integer> {

    private static final long LOOK_MILLIS = 200;

    /** Within which statements that have begun before are over, where nobody says which are. JMS clients know of the move by then. */
    private static final long SETTLE_SECONDS = 5;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Mixin
    private Question question;

    @Parameters(description = "The queue.", converter = QueueName.class)
    private String queue;

    @Option(
            names = "--from",
            defaultValue = Target.HOME,
            description = "The database it is in. Default: ${DEFAULT-VALUE}.")
    private String from;

    @Option(names = "--to", required = true, description = "The database it is to be in.")
    private String to;

    @Option(
            names = "--wait",
            defaultValue = "60",
            paramLabel = "SECONDS",
            description = "How long to wait until nothing is left in the old place. Default: ${DEFAULT-VALUE}.")
    private long seconds;

    @Option(
            names = "--force",
            description =
                    "Also where JVMs send to it in transactions of their applications', which cannot follow: they are refused from now on.")
    private boolean force;

    @Override
    public Integer call() throws Exception {
        Target old = database(from);
        Target next = database(to);
        if (from.equals(to)) {
            throw new Failure.Refused(
                    ExitCode.USAGE, "the queue is to be moved to another database than '" + from + "'");
        }
        question.ask("Move the queue " + queue + " from '" + from + "' to '" + to + "'?");
        boolean isOver;
        try (Connection there = next.connect();
                Connection here = old.connect()) {
            QueueMove move = new QueueMove(
                    queue,
                    new QueueMove.Place(from, here, old.schema()),
                    new QueueMove.Place(to, there, next.schema()),
                    Target.systemUser());
            move.check();
            refuseJoinedSenders(move);
            makeQueueIn(next);
            move.begin();
            isOver = finish(move);
        }
        tell(isOver);
        return isOver ? ExitCode.DONE : ExitCode.FOUND;
    }

    private void refuseJoinedSenders(QueueMove move) throws SQLException {
        List<Client> senders = force ? List.of() : move.joinedSenders();
        if (!senders.isEmpty()) {
            throw new Failure.Refused(
                    ExitCode.FAILED,
                    queue + " is not moved: it is sent to in transactions of applications', which cannot follow to '"
                            + to
                            + "' and would be refused from now on. JVMs: "
                            + senders.stream().map(Client::who).collect(Collectors.joining("; "))
                            + ". Move it together with the rows that they write, end them first, or give --force");
        }
    }

    private Target database(String name) throws IOException {
        Map<String, Target> databases = target.databases();
        Target found = databases.get(name);
        if (found == null) {
            throw new Failure.Refused(
                    ExitCode.USAGE,
                    "the configuration has no database '" + name + "', but " + databases.keySet()
                            + ": give one with the routes by --config");
        }
        return found;
    }

    /** A consumer brings it into being, and leaves what an administrator has set for it. */
    private void makeQueueIn(Target database) throws IOException, JMSException {
        try (jakarta.jms.Connection connection = database.factory(true).createConnection();
                Session session = connection.createSession()) {
            session.createConsumer(session.createQueue(queue)).close();
        }
    }

    private boolean finish(QueueMove move) throws Exception {
        long begin = System.nanoTime();
        long end = begin + TimeUnit.SECONDS.toNanos(Math.max(seconds, SETTLE_SECONDS));
        Thread.sleep(TimeUnit.SECONDS.toMillis(SETTLE_SECONDS));
        while (true) {
            if (!move.isLeftBehind() && move.finish()) {
                // Whoever moves it back at once would do so before consumers know.
                Thread.sleep(TimeUnit.SECONDS.toMillis(SETTLE_SECONDS));
                return true;
            }
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private void tell(boolean isOver) {
        if (output.isJson()) {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("queue", queue);
            told.put("from", from);
            told.put("to", to);
            told.put("moved", isOver);
            output.json(told);
            return;
        }
        output.err()
                .println(
                        isOver
                                ? "Moved " + queue + " to '" + to + "'"
                                : queue + " is sent to in '" + to + "'. Messages are left in '" + from
                                        + "', which are received first: call this again to wait on.");
    }
}
