package org.readpast.cli.administration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.readpast.cli.messages.QueueName;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Failure;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Product;
import org.readpast.operations.snapshot.Client;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.Paused;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Pauses a queue. */
@Command(
        name = "pause",
        description =
                "Holds back what a queue has, or what is sent to it, until resume, and waits until all JVMs that are connected keep to it."
                        + " What was received before is finished.",
        mixinStandardHelpOptions = true)
public final class PauseCommand implements Callable<Integer> {

    private static final long LOOK_MILLIS = 200;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(description = "The queue.", converter = QueueName.class)
    private String queue;

    @Option(
            names = "--what",
            defaultValue = "RECEIVE",
            description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}. A send that is held back fails.")
    private Paused.What what;

    @Option(
            names = "--wait",
            defaultValue = "30",
            paramLabel = "SECONDS",
            description = "How long to wait for the JVMs. Default: ${DEFAULT-VALUE}.")
    private long seconds;

    @Override
    public Integer call() throws Exception {
        target.administer(administration -> {
            administration.pause(queue, what);
            return null;
        });
        if (isH2()) {
            output.err().println("Paused " + what.text() + " of " + queue + ". JVMs keep to it within five seconds.");
            return ExitCode.DONE;
        }
        List<Client> others = target.look(look -> {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            Paused pause = known(end, () -> Facts.paused(look), paused -> true).stream()
                    .filter(paused -> paused.queue().equals(queue))
                    .findFirst()
                    .orElseThrow(() -> new Failure.Refused(ExitCode.FAILED, queue + " was resumed meanwhile"));
            return known(end, () -> Facts.notKeepingTo(look, pause), List::isEmpty);
        });
        tell(others);
        return others.isEmpty() ? ExitCode.DONE : ExitCode.FOUND;
    }

    private boolean isH2() throws Exception {
        try (java.sql.Connection connection = target.connect()) {
            return Product.of(connection) == Product.H2;
        }
    }

    /** Looks until it is known and as it is to be, or the time is over: a look is given up soon where the server is busy. */
    private static <T> List<T> known(long end, Callable<Answer<T>> look, Predicate<List<T>> isEnough) throws Exception {
        Answer<T> answer = look.call();
        while ((answer instanceof Answer.Unknown<T> unknown ? unknown.mayPass() : !isEnough.test(answer.rows()))
                && System.nanoTime() < end) {
            Thread.sleep(LOOK_MILLIS);
            answer = look.call();
        }
        return Output.known(answer, "the queue is paused, and who keeps to it cannot be read: ");
    }

    private void tell(List<Client> others) {
        if (output.isJson()) {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("queue", queue);
            told.put("paused", what.name().toLowerCase(Locale.ROOT));
            told.put("not_yet", others.stream().map(Client::who).toList());
            output.json(told);
            return;
        }
        output.err()
                .println("Paused " + what.text() + " of " + queue + "."
                        + (others.isEmpty() ? " All JVMs that are connected keep to it." : ""));
        for (Client other : others) {
            output.err()
                    .println(Output.plain("Not said by " + other.who()
                            + (other.release() == null ? "" : ", release " + other.release())
                            + (other.missingSince() == null ? "" : ", missing since " + other.missingSince())
                            + ": it may still receive or send"));
        }
    }
}
