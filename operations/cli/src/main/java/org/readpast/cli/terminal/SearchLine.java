package org.readpast.cli.terminal;

import java.io.PrintWriter;
import java.util.function.Consumer;
import org.readpast.operations.messages.Progress;

/** Says how far a search has come: to somebody at a terminal in one line that changes, else in a line for every 50,000 messages. */
public final class SearchLine implements Consumer<Progress> {

    private static final long EVERY = 50_000;

    private final PrintWriter err;
    private final boolean isTerminal = Terminal.find().isPresent();
    private Progress last;
    private long next = EVERY;

    public SearchLine(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void accept(Progress progress) {
        last = progress;
        if (isTerminal) {
            err.print("\r" + text(progress));
            err.flush();
        } else if (progress.searched() >= next) {
            next += EVERY;
            err.println(text(progress));
        }
    }

    /** Where what was interrupted goes on. */
    public void tellWhereToGoOn() {
        if (last != null) {
            err.println((isTerminal ? "\n" : "") + text(last));
        }
    }

    /**
     * What the result does not say.
     *
     * @param isRetry whether they were to go back to where they come from
     */
    public void end(Progress progress, boolean isRetry) {
        if (isTerminal) {
            err.println();
        }
        if (progress.unreadable() > 0) {
            err.println(
                    progress.unreadable()
                            + " messages were left alone: their rows cannot be read, or their properties are longer than 64 KiB");
        }
        if (progress.chosen() > progress.done()) {
            err.println((progress.chosen() - progress.done())
                    + " of those that were chosen were left alone: somebody has them, or they changed meanwhile"
                    + (isRetry ? ", or what they come from is gone or was moved" : ""));
        }
        if (progress.cursor() != null) {
            err.println("To go on: --after " + progress.cursor());
        }
    }

    private static String text(Progress progress) {
        return "searched " + progress.searched() + " of " + (progress.isMore() ? "at least " : "about ")
                + progress.about() + ", chosen " + progress.chosen()
                + (progress.cursor() == null ? "" : ", to go on: --after " + progress.cursor());
    }
}
