package org.readpast.console.pages;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.readpast.console.http.Reply;
import org.readpast.console.session.Job;
import org.readpast.console.view.Links;
import org.readpast.console.view.Page;
import org.readpast.console.view.Text;
import org.readpast.operations.administration.Administration;
import org.readpast.operations.database.Answer;
import org.readpast.operations.messages.Conditions;
import org.readpast.operations.messages.MessageKey;
import org.readpast.operations.messages.Messages;
import org.readpast.operations.messages.Progress;
import org.readpast.operations.messages.Repair.Action;
import org.readpast.operations.snapshot.Paused;
import org.readpast.operations.snapshot.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What forms do: actions on messages, each a job whose page shows how far it is. */
public final class Actions {

    private static final Logger LOG = LoggerFactory.getLogger(Actions.class);

    private static final String HELD = "held";
    private static final String NOT_HELD = "Only messages that are held can be released.";
    private static final Set<String> STATES = Set.of("waiting", "delayed", HELD, "expired");
    private static final int MOST_CHOSEN = 1000;
    private static final int LIVE = 1;

    private final Executor workers;

    /** Actions whose jobs run there. */
    public Actions(Executor workers) {
        this.workers = workers;
    }

    /** What is done with a queue that is there. */
    private interface Deed {
        Reply with(Queue queue) throws Exception;
    }

    private static Reply withQueue(Visit visit, Pages pages, Deed deed) throws Exception {
        int id = visit.integer("queue");
        // By the database and not by the form, since names are what the procedures take.
        record Seen(Answer<Queue> queue, Answer<Boolean> isMeant) {}
        Seen seen = visit.user().look(look -> {
            Answer<Queue> found = Messages.queue(look, id);
            return new Seen(
                    found,
                    found.rows().isEmpty()
                            ? null
                            : Messages.isMeantByName(look, found.rows().get(0)));
        });
        Answer<Queue> queue = seen.queue();
        if (queue instanceof Answer.Unknown<Queue> unknown) {
            return pages.error(403, visit.user(), "Not allowed", unknown.why());
        }
        if (queue.rows().isEmpty()) {
            return pages.error(404, visit.user(), "Not there any more", "The queue is not there any more.");
        }
        if (!seen.isMeant().rows().contains(true)) {
            return pages.error(
                    409,
                    visit.user(),
                    "Not by this name",
                    seen.isMeant() instanceof Answer.Unknown<Boolean> unknown
                            ? unknown.why()
                            : "The database's procedures mean another queue by this name, or none: nothing was done.");
        }
        return deed.with(queue.rows().get(0));
    }

    /** Pauses a queue, or ends its pause: an action of a moment, which is no job. */
    Reply pause(Visit visit, Pages pages) throws Exception {
        Paused.What what = switch (visit.text("what")) {
            case "receive" -> Paused.What.RECEIVE;
            case "send" -> Paused.What.SEND;
            case "both" -> Paused.What.BOTH;
            case "nothing" -> null;
            default -> throw new Visit.Malformed("what is to be paused?");
        };
        return withQueue(visit, pages, queue -> {
            if (!queue.kind().equals("Q")) {
                throw new Visit.Malformed("Only queues can be paused.");
            }
            visit.user().repair(connection -> {
                Administration administration = new Administration(
                        connection, visit.user().schema(), visit.user().claimedUser());
                administration.limit();
                if (what == null) {
                    administration.resume(queue.name());
                } else {
                    administration.pause(queue.name(), what);
                }
                administration.unlimit();
                return null;
            });
            LOG.info(
                    "{} {} by {}",
                    what == null ? "resume" : "pause " + what.text() + " of",
                    Text.line(queue.name()),
                    Text.line(visit.user().name()));
            return Reply.goTo(Links.messages(queue.id(), false, "", null));
        });
    }

    Reply act(Visit visit, Pages pages) throws Exception {
        return withQueue(visit, pages, queue -> act(visit, pages, queue));
    }

    private Reply act(Visit visit, Pages pages, Queue queue) {
        Job.Order order = order(visit, queue);
        boolean isAll = !visit.text("which").equals("chosen");
        if (order.which() instanceof Job.Those those && those.ofState().isEmpty()) {
            return pages.error(400, visit.user(), "Nothing chosen", "Choose the messages first, or all of them.");
        }
        boolean isForGood = order.action() == Action.PURGE || order.action() == Action.EXPIRE;
        if ((isAll || isForGood) && !visit.has("sure")) {
            return confirm(visit, pages, order, isAll);
        }
        Job job = new Job(visit.newJob(), visit.user(), order);
        switch (visit.user().add(job)) {
            case NEW -> workers.execute(job);
            case AGAIN -> {
                LOG.debug("{} was sent again", job.id());
                if (visit.user()
                        .job(job.id())
                        .filter(before -> !before.order().equals(order))
                        .isPresent()) {
                    return pages.error(
                            409,
                            visit.user(),
                            "This form was used",
                            "It has ordered another action before, and this one was not done: load the page anew.");
                }
            }
            case BUSY -> {
                return pages.error(
                        409,
                        visit.user(),
                        "One at a time",
                        "Another action of yours is still at work: wait, or stop it.");
            }
        }
        return Reply.goTo(Links.job(job.id()));
    }

    private static Job.Order order(Visit visit, Queue queue) {
        Action action = action(visit.text("action"));
        String which = visit.text("which");
        String target = visit.text("target");
        boolean hasTarget = action == Action.MOVE || action == Action.COPY;
        if (hasTarget && target.isBlank()) {
            throw new Visit.Malformed("Where do the messages go? Name a queue.");
        }
        return new Job.Order(
                action,
                Text.kind(queue.kind()),
                queue.name(),
                queue.id(),
                hasTarget ? target : null,
                which(visit, action, which),
                rate(visit));
    }

    private static int rate(Visit visit) {
        if (!visit.has("rate")) {
            return 0;
        }
        int rate = visit.integer("rate");
        if (rate < 1) {
            throw new Visit.Malformed("A rate is one message a second at the least");
        }
        return rate;
    }

    private static Job.Which which(Visit visit, Action action, String which) {
        if (which.equals("chosen")) {
            return chosen(visit, action);
        }
        Job.All all = all(action, which);
        // What is copied stays, so all of them are walked through as well.
        if (visit.selector() == null && action != Action.COPY) {
            return all;
        }
        // Without a state a search leaves alone what is held.
        String state = action == Action.RELEASE ? HELD : all.conditions().state();
        return new Job.Matching(visit.text("where"), which, state, visit.cursor());
    }

    private static Action action(String name) {
        return switch (name) {
            case "retry" -> Action.RETRY;
            case "move" -> Action.MOVE;
            case "copy" -> Action.COPY;
            case "hold" -> Action.HOLD;
            case "release" -> Action.RELEASE;
            case "expire" -> Action.EXPIRE;
            case "delete" -> Action.PURGE;
            default -> throw new Visit.Malformed("what is to be done?");
        };
    }

    private static Job.Those chosen(Visit visit, Action action) {
        List<String> values = visit.all("message");
        if (values.size() > MOST_CHOSEN) {
            throw new Visit.Malformed("so many cannot be chosen at once");
        }
        Map<String, List<MessageKey>> ofState = new HashMap<>();
        for (String value : values) {
            Choice choice = Choice.parse(value);
            // The page shows what is delayed beside it.
            if (action != Action.RELEASE || choice.state().equals(HELD)) {
                ofState.computeIfAbsent(state(action, choice.state()), state -> new ArrayList<>())
                        .add(choice.key());
            }
        }
        if (ofState.isEmpty() && !values.isEmpty()) {
            throw new Visit.Malformed(NOT_HELD);
        }
        return new Job.Those(ofState);
    }

    /** A dead letter that has expired is retried too. */
    private static Job.All all(Action action, String which) {
        String state = action == Action.RETRY && which.equals("waiting") ? null : state(action, which);
        return new Job.All(new Conditions(null, null, null, null, null, null, null, null, null, state));
    }

    private static String state(Action action, String state) {
        if (!STATES.contains(state)) {
            throw new Visit.Malformed("in which state?");
        }
        if (action == Action.RELEASE && !state.equals(HELD)) {
            throw new Visit.Malformed(NOT_HELD);
        }
        return action == Action.RELEASE ? null : state;
    }

    private static Reply confirm(Visit visit, Pages pages, Job.Order order, boolean isAll) {
        Map<String, Object> model = new HashMap<>();
        model.put("order", order);
        model.put("what", what(order, isAll, visit.text("which")));
        model.put("isAll", isAll);
        model.put("where", visit.text("where"));
        model.put("selector", order.which() instanceof Job.Matching matching ? matching.selector() : "");
        model.put("which", visit.text("which"));
        model.put("action", visit.text("action"));
        model.put("target", visit.text("target"));
        model.put("messages", visit.all("message"));
        // A browser that goes back asks again: what was ordered then is another job.
        model.put("newJob", Page.newJob());
        return Reply.html(200, pages.render("confirm", Pages.page("Are you sure?", "queues", visit.user(), 0), model));
    }

    private static String what(Job.Order order, boolean isAll, String which) {
        int count = order.which() instanceof Job.Those those ? those.count() : 0;
        boolean isRetry = order.action() == Action.RETRY;
        return isAll
                ? "ALL " + (isRetry ? "dead letters" : "messages")
                        + (isRetry && which.equals("waiting") ? "" : " that are " + which)
                : count == 1 ? "one message" : count + " messages";
    }

    Reply job(Visit visit, Pages pages) {
        Job job = visit.user().job(visit.text("job")).orElse(null);
        if (job == null) {
            return pages.error(404, visit.user(), "Not known", "This action is not known any more.");
        }
        Map<String, Object> model = new HashMap<>();
        model.put("job", job);
        boolean wentOn = visit.user().hasOrdered(job.next());
        model.put("text", text(job, wentOn));
        model.put("wentOn", wentOn);
        model.put("error", job.error() == null ? "" : job.error());
        model.put("matching", job.order().which() instanceof Job.Matching matching ? matching : null);
        model.put(
                "goOn",
                job.isRunning() || wentOn || job.progress() == null
                        ? null
                        : job.progress().cursor());
        return Reply.html(
                200,
                pages.render("job", Pages.page(title(job), "queues", visit.user(), job.isRunning() ? LIVE : 0), model));
    }

    private static String title(Job job) {
        String verb = job.order().verb();
        return verb.substring(0, 1).toUpperCase(Locale.ROOT) + verb.substring(1) + " in "
                + job.order().queue();
    }

    private static String text(Job job, boolean wentOn) {
        String done = job.done() == 1 ? "1 message" : job.done() + " messages";
        return switch (job.state()) {
                    case RUNNING ->
                        "At work: " + done + " so far"
                                + (job.order().rate() == 0
                                        ? ""
                                        : ", at most " + job.order().rate() + " a second")
                                + ".";
                    case DONE ->
                        "Done: " + done + "."
                                + (job.done() == 0 ? " What somebody has in a transaction is left alone." : "");
                    case STOPPED -> "Stopped: " + done + " were done. " + rest(job, wentOn);
                    case FAILED -> "Failed: " + done + " were done. " + rest(job, wentOn);
                }
                + (job.progress() == null ? "" : searched(job.progress()));
    }

    private static String rest(Job job, boolean wentOn) {
        if (wentOn) {
            return "Another action went on with the rest.";
        }
        return job.order().action() != Action.COPY
                ? "The same action goes on with the rest."
                : job.progress() == null ? "" : "Go on with the rest here: begun anew it makes all copies once more.";
    }

    private static String searched(Progress progress) {
        long left = progress.chosen() - progress.done();
        return " " + Text.searched(progress.searched(), progress.about()) + "."
                + (left == 0
                        ? ""
                        : " " + left + " that match were left alone: somebody has them, or they have changed.")
                + Text.unreadable(progress.unreadable());
    }

    Reply stop(Visit visit) {
        Job job = visit.user().job(visit.text("job")).orElseThrow(() -> new Visit.Malformed("which action?"));
        job.stop();
        return Reply.goTo(Links.job(job.id()));
    }
}
