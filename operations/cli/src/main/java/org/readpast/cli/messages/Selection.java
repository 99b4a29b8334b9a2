package org.readpast.cli.messages;

import java.util.List;
import org.readpast.operations.messages.Chosen;
import org.readpast.operations.messages.Cursor;
import org.readpast.operations.messages.RowCondition;
import org.readpast.operations.messages.SelectorCondition;
import picocli.CommandLine.Option;

/** Messages that are chosen by looking at each, from a place in the queue on. */
final class Selection {

    @Option(
            names = "--state",
            description =
                    "That are waiting, expired, delayed, claimed or held. Default: all but claimed and held ones.")
    private String state;

    @Option(names = "--most", description = "So many at the most.")
    private Long most;

    @Option(
            names = "--where",
            description = "That this JMS selector matches. Beside it only --state, --most and --after.",
            paramLabel = "SELECTOR")
    private String selector;

    @Option(
            names = "--after",
            description = "Goes on at this place in the queue, as it was printed.",
            paramLabel = "PLACE")
    private String after;

    String state() {
        return state;
    }

    long most() {
        return most == null ? Long.MAX_VALUE : most;
    }

    boolean hasSelector() {
        return selector != null;
    }

    boolean hasPlace() {
        return after != null;
    }

    /** Whether something was said at all. */
    boolean isGiven() {
        return state != null || most != null || selector != null;
    }

    /** Those that are meant. */
    Chosen chosen() {
        if (state != null
                && !List.of("waiting", "expired", "delayed", "claimed", "held").contains(state)) {
            throw new IllegalArgumentException("--state is waiting, expired, delayed, claimed or held");
        }
        return chosen(state);
    }

    /** Those that are meant and are held, whatever was said of the state. */
    Chosen held() {
        return chosen("held");
    }

    private Chosen chosen(String among) {
        return new Chosen(condition(), among, most(), after == null ? null : Cursor.parse(after));
    }

    private RowCondition condition() {
        if (selector == null) {
            return RowCondition.ANY;
        }
        try {
            return new SelectorCondition(selector);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--where: " + e.getMessage(), e);
        }
    }
}
