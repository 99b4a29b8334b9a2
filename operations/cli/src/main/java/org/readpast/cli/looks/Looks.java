package org.readpast.cli.looks;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.readpast.cli.administration.RestoredCommand;
import org.readpast.cli.administration.SchemaCheckCommand;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.ClientReport;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.OpenConsumers;
import org.readpast.operations.snapshot.Outcome;
import org.readpast.operations.snapshot.Paused;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Timing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Commands that show one thing each. */
public final class Looks {

    private Looks() {}

    @Command(
            name = "queues",
            description = "How full queues, topics and subscriptions are.",
            mixinStandardHelpOptions = true)
    public static final class Queues implements Callable<Integer> {
        @Mixin
        private Target target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws Exception {
            record Seen(Answer<Queue> queues, Answer<Paused> paused) {}
            Seen seen = target.look(look -> new Seen(Facts.queues(look), Facts.paused(look)));
            return output.print(
                    seen.queues(),
                    List.of("name", "kind", "depth", "oldest", "paused"),
                    queue -> Arrays.asList(
                            queue.name(),
                            kind(queue.kind()),
                            output.isJson() ? queue.depth() : queue.depthText(),
                            queue.oldestAt(),
                            seen.paused().isKnown() ? paused(seen.paused().rows(), queue) : "unknown"));
        }

        private static String paused(List<Paused> all, Queue queue) {
            return all.stream()
                    .filter(pause -> pause.id() == queue.id())
                    .map(pause -> pause.what().text())
                    .findFirst()
                    .orElse(null);
        }
    }

    public static String kind(String kind) {
        return switch (kind) {
            case "Q" -> "queue";
            case "T" -> "topic";
            case "TQ" -> "temporary queue";
            case "TT" -> "temporary topic";
            default -> "subscription";
        };
    }

    /** Null while the JVM has not told. */
    private static <T> Object told(T told, Function<T, Object> value) {
        return told == null ? null : value.apply(told);
    }

    @Command(
            name = "consumers",
            description =
                    "Which connected JVMs have made a consumer for what, and how many are open there now. Programs in SQL do not show.",
            mixinStandardHelpOptions = true)
    public static final class Consumers implements Callable<Integer> {
        @Mixin
        private Target target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws Exception {
            return output.print(
                    target.look(Facts::consumers),
                    List.of(
                            "name",
                            "kind",
                            "open",
                            "stopped",
                            "selective",
                            "selector",
                            "host",
                            "process",
                            "instance",
                            "connected",
                            "missing"),
                    consumer -> Arrays.asList(
                            consumer.queue(),
                            kind(consumer.kind()),
                            told(consumer.now(), OpenConsumers::open),
                            told(consumer.now(), OpenConsumers::stopped),
                            told(consumer.now(), OpenConsumers::selective),
                            told(consumer.now(), OpenConsumers::selector),
                            consumer.client().host(),
                            consumer.client().process(),
                            consumer.client().instance(),
                            consumer.client().startedAt(),
                            consumer.client().missingSince()));
        }
    }

    @Command(name = "clients", description = "The JVMs that are connected.", mixinStandardHelpOptions = true)
    public static final class Clients implements Callable<Integer> {
        @Mixin
        private Target target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws Exception {
            return output.print(
                    target.look(Facts::clients),
                    List.of(
                            "host",
                            "process",
                            "pool",
                            "in use",
                            "waiting",
                            "release",
                            "schema",
                            "instance",
                            "connected",
                            "missing"),
                    client -> Arrays.asList(
                            client.host(),
                            client.process(),
                            told(client.report(), ClientReport::sqlConnections),
                            told(client.report(), ClientReport::sqlConnectionsInUse),
                            told(client.report(), ClientReport::threadsWaiting),
                            client.release(),
                            client.schemaVersion(),
                            client.instance(),
                            client.startedAt(),
                            client.missingSince()));
        }
    }

    @Command(name = "subscriptions", description = "Subscriptions of topics.", mixinStandardHelpOptions = true)
    public static final class Subscriptions implements Callable<Integer> {
        @Mixin
        private Target target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws Exception {
            return output.print(
                    target.look(Facts::subscriptions),
                    List.of("topic", "client id", "name", "durable", "shared", "consumers", "selector", "since"),
                    subscription -> Arrays.asList(
                            subscription.topic(),
                            subscription.clientId(),
                            subscription.name(),
                            subscription.isDurable(),
                            subscription.isShared(),
                            subscription.consumers(),
                            subscription.selector(),
                            subscription.createdAt()));
        }
    }

    @Command(name = "leases", description = "Messages that are claimed by lease.", mixinStandardHelpOptions = true)
    public static final class Leases implements Callable<Integer> {
        @Mixin
        private Target target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws Exception {
            return output.print(
                    target.look(Facts::leases),
                    List.of("queue", "message", "worker", "attempt", "claimed", "deadline"),
                    lease -> Arrays.asList(
                            lease.queue(),
                            lease.jmsMessageId(),
                            lease.who(),
                            lease.attempt(),
                            lease.claimedAt(),
                            lease.deadline()));
        }
    }

    @Command(
            name = "groups",
            description = "Message groups and who gets their messages.",
            mixinStandardHelpOptions = true)
    public static final class Groups implements Callable<Integer> {
        @Mixin
        private Target target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws Exception {
            return output.print(
                    target.look(Facts::groups),
                    List.of("queue", "group", "owner", "waiting", "oldest", "taken", "missing"),
                    group -> Arrays.asList(
                            group.queue(),
                            group.group(),
                            group.owner().who(),
                            group.waiting(),
                            group.oldestAt(),
                            group.takenAt(),
                            group.owner().missingSince()));
        }
    }

    @Command(name = "dead-letters", description = "Dead letters, by queue and origin.", mixinStandardHelpOptions = true)
    public static final class DeadLetterCounts implements Callable<Integer> {
        @Mixin
        private Target target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws Exception {
            return output.print(
                    target.look(Facts::deadLetters),
                    List.of("queue", "origin", "messages", "within 10 min", "oldest", "newest"),
                    dead -> Arrays.asList(
                            dead.queue(),
                            dead.origin(),
                            dead.messages(),
                            dead.recent(),
                            dead.oldestAt(),
                            dead.newestAt()));
        }
    }

    @Command(
            name = "history",
            description =
                    "What became of messages within the last hour, and how long they took (milliseconds), of queues that keep a history.",
            mixinStandardHelpOptions = true)
    public static final class History implements Callable<Integer> {
        @Mixin
        private Target target;

        @Mixin
        private Output output;

        private record Hour(Answer<Outcome> outcomes, Answer<Timing> timing) {}

        @Override
        public Integer call() throws Exception {
            Hour hour = target.look(look -> new Hour(Facts.outcomes(look), Facts.timing(look)));
            return output.print(
                    hour.outcomes(),
                    List.of(
                            "queue",
                            "completed",
                            "dead letters",
                            "expired",
                            "wait p95",
                            "wait p99",
                            "work p95",
                            "work p99"),
                    outcome -> {
                        Timing timing = hour.timing().rows().stream()
                                .filter(candidate -> candidate.id() == outcome.id())
                                .findFirst()
                                .orElse(new Timing(
                                        outcome.queue(), outcome.id(), 0, null, null, null, null, null, null));
                        return Arrays.asList(
                                outcome.queue(),
                                outcome.completed(),
                                outcome.deadLetters(),
                                outcome.expired(),
                                timing.waitP95(),
                                timing.waitP99(),
                                timing.workP95(),
                                timing.workP99());
                    });
        }
    }

    @Command(
            name = "schema",
            description = "Which schema scripts have been run.",
            mixinStandardHelpOptions = true,
            subcommands = {SchemaCheckCommand.class, RestoredCommand.class})
    public static final class Schema implements Callable<Integer> {
        @Mixin
        private Target target;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws Exception {
            return output.print(
                    target.look((Look look) -> Facts.scripts(look)),
                    List.of("version", "script", "applied"),
                    script -> Arrays.asList(script.version(), script.script(), script.appliedAt()));
        }
    }
}
