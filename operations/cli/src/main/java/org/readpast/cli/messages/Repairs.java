package org.readpast.cli.messages;

import java.util.concurrent.Callable;
import org.readpast.cli.terminal.Question;
import org.readpast.operations.messages.Conditions;
import org.readpast.operations.messages.Repair.Action;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Commands over the procedures of repair. They leave alone what a consumer has, and wait for nobody. */
public final class Repairs {

    private Repairs() {}

    @Command(
            name = "move",
            description = "Puts messages of a queue into another one, which must be there.",
            mixinStandardHelpOptions = true)
    public static final class Move implements Callable<Integer> {
        @Mixin
        private RepairRun repair;

        @Mixin
        private Choice choice;

        @Parameters(index = "1", description = "Where they go.", converter = QueueName.class)
        private String to;

        @Override
        public Integer call() throws Exception {
            return repair.run(Action.MOVE, to, choice, () -> {});
        }
    }

    @Command(
            name = "copy",
            description =
                    "Puts a copy of messages of a queue into another one, which must be there. The copies get ids of their own.",
            mixinStandardHelpOptions = true)
    public static final class Copy implements Callable<Integer> {
        @Mixin
        private RepairRun repair;

        @Mixin
        private Selection selection;

        @Parameters(index = "1", description = "Where the copies go.", converter = QueueName.class)
        private String to;

        @Override
        public Integer call() throws Exception {
            return repair.search(Action.COPY, to, selection.chosen(), () -> {});
        }
    }

    @Command(
            name = "retry",
            description = "Sends dead letters of a queue back to where they come from.",
            mixinStandardHelpOptions = true)
    public static final class Retry implements Callable<Integer> {
        @Mixin
        private RepairRun repair;

        @Mixin
        private Choice choice;

        @Override
        public Integer call() throws Exception {
            return repair.run(Action.RETRY, null, choice, () -> {});
        }
    }

    @Command(
            name = "hold",
            description = "Keeps messages away from every consumer until release.",
            mixinStandardHelpOptions = true)
    public static final class Hold implements Callable<Integer> {
        @Mixin
        private RepairRun repair;

        @Mixin
        private Choice choice;

        @Override
        public Integer call() throws Exception {
            return repair.run(Action.HOLD, null, choice, () -> {});
        }
    }

    @Command(name = "release", description = "Gives held messages back.", mixinStandardHelpOptions = true)
    public static final class Release implements Callable<Integer> {
        @Mixin
        private RepairRun repair;

        @Mixin
        private Choice choice;

        @Override
        public Integer call() throws Exception {
            return repair.run(Action.RELEASE, null, choice, () -> {});
        }
    }

    @Command(
            name = "expire",
            description = "Lets messages expire now: they are deleted, or go where expired ones go.",
            mixinStandardHelpOptions = true)
    public static final class Expire implements Callable<Integer> {
        @Mixin
        private RepairRun repair;

        @Mixin
        private Choice choice;

        @Mixin
        private Question question;

        @Override
        public Integer call() throws Exception {
            return repair.run(
                    Action.EXPIRE, null, choice, () -> question.ask("Let messages of " + repair.queue() + " expire?"));
        }
    }

    @Command(
            name = "purge",
            description = "Deletes the messages of a queue that meet the conditions, without any all of them.",
            mixinStandardHelpOptions = true)
    public static final class Purge implements Callable<Integer> {
        @Mixin
        private RepairRun repair;

        @Mixin
        private Choice choice;

        @Mixin
        private Question question;

        @Override
        public Integer call() throws Exception {
            return repair.run(
                    Action.PURGE,
                    null,
                    choice,
                    () -> question.ask("Delete " + (choice.isGiven() ? "the chosen" : "ALL") + " messages of "
                            + repair.queue() + " for good?"));
        }
    }

    @Command(name = "delete", description = "Deletes one message.", mixinStandardHelpOptions = true)
    public static final class Delete implements Callable<Integer> {
        @Mixin
        private RepairRun repair;

        @Mixin
        private Question question;

        @Parameters(index = "1", description = "The JMSMessageID, as browse shows it.")
        private String id;

        @Override
        public Integer call() throws Exception {
            Conditions one = new Conditions(id, null, null, null, null, null, null, null, null, null);
            return repair.run(
                    Action.PURGE,
                    null,
                    one,
                    1,
                    () -> question.ask("Delete the message " + id + " of " + repair.queue() + " for good?"));
        }
    }
}
