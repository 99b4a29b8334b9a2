package org.readpast.bridge;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a bridge moves, and how.
 *
 * @param name tells this bridge from any other between the same two sides; letters, digits, dots and hyphens, at most 60. What the bridge
 *     stores on both sides has it in its name: whoever changes it begins anew
 * @param rules what is moved; no two read the same place, or use one client id on the same side
 * @param batch how many messages cross in one transaction, from 1 to 10,000
 * @param perSecond how many messages cross in a second, over all rules together; 0 is no limit
 * @param isIdRequired whether a message without a JMSMessageID goes to the dead letters of the bridge; otherwise it crosses at least once
 * @param areRepliesMapped whether a temporary queue in JMSReplyTo is replaced by a queue of the bridge, from which replies cross back
 * @param pairDays for how many days a reply may come after its request, 1 or more
 */
public record BridgeRules(
        String name,
        List<Rule> rules,
        int batch,
        int perSecond,
        boolean isIdRequired,
        boolean areRepliesMapped,
        int pairDays) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9.-]{1,60}");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final int MOST_IN_BATCH = 10_000;

    /**
     * @throws IllegalArgumentException if something is missing or out of its bounds
     */
    public BridgeRules {
        rules = List.copyOf(rules);
        if (name == null || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a bridge has a name of at most 60 letters, digits, dots and hyphens: 'name move-orders'");
        }
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("there is no rule: 'over queue://orders' is one");
        }
        if (rules.stream()
                        .map(rule -> rule.direction() + rule.source().toString())
                        .distinct()
                        .count()
                < rules.size()) {
            throw new IllegalArgumentException("two rules read the same place in the same direction");
        }
        checkClientIds(rules);
        if (batch < 1 || batch > MOST_IN_BATCH) {
            throw new IllegalArgumentException("batch is from 1 to " + MOST_IN_BATCH);
        }
        if (perSecond < 0) {
            throw new IllegalArgumentException("rate is 0, for no limit, or more");
        }
        if (pairDays < 1) {
            throw new IllegalArgumentException("pair-days is 1 or more");
        }
    }

    /** Each rule has its own connection, and a client id is of one connection at a time. */
    private static void checkClientIds(List<Rule> rules) {
        Set<String> used = new HashSet<>();
        for (Rule rule : rules) {
            String clientId = rule.source().clientId();
            if (clientId != null && !used.add(rule.direction() + clientId)) {
                throw new IllegalArgumentException("two rules use clientId '" + clientId
                        + "' on the same side, where only one connection can have it: give one of them another, or subscribe"
                        + " without one, which is a shared subscription");
            }
        }
    }

    /**
     * Reads the lines of a file of rules: {@code name NAME}, {@code over SOURCE [TARGET]}, {@code back SOURCE [TARGET]},
     * {@code batch N}, {@code rate N}, {@code without-id refuse|at-least-once}, {@code temporary-replies yes|no},
     * {@code pair-days N}. Empty lines and what stands behind a # are left out.
     *
     * @throws IllegalArgumentException if a line is not understood, naming it
     */
    public static BridgeRules parse(List<String> lines) {
        String name = null;
        List<Rule> rules = new ArrayList<>();
        int batch = 1000;
        int perSecond = 0;
        boolean isIdRequired = true;
        boolean areRepliesMapped = true;
        int pairDays = 7;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("(^|\\s)#.*", "").strip();
            if (line.isEmpty()) {
                continue;
            }
            String[] words = BLANKS.split(line, -1);
            try {
                switch (words[0]) {
                    case "name" -> name = argument(words);
                    case "over" -> rules.add(rule(Direction.OVER, words));
                    case "back" -> rules.add(rule(Direction.BACK, words));
                    case "batch" -> batch = Integer.parseInt(argument(words));
                    case "rate" -> perSecond = Integer.parseInt(argument(words));
                    case "without-id" -> isIdRequired = choice(argument(words), "refuse", "at-least-once");
                    case "temporary-replies" -> areRepliesMapped = choice(argument(words), "yes", "no");
                    case "pair-days" -> pairDays = Integer.parseInt(argument(words));
                    default -> throw new IllegalArgumentException("'" + words[0] + "' is not understood");
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return new BridgeRules(name, rules, batch, perSecond, isIdRequired, areRepliesMapped, pairDays);
    }

    private static Rule rule(Direction direction, String[] words) {
        if (words.length < 2 || words.length > 3) {
            throw new IllegalArgumentException("a rule is " + words[0] + " SOURCE [TARGET]");
        }
        Place source = Place.parse(words[1]);
        Place target =
                words.length == 3 ? Place.parse(words[2]) : new Place(source.isTopic(), source.name(), null, null);
        return new Rule(direction, source, target);
    }

    private static String argument(String[] words) {
        if (words.length != 2) {
            throw new IllegalArgumentException("'" + words[0] + "' takes one word");
        }
        return words[1];
    }

    private static boolean choice(String word, String yes, String no) {
        if (word.equals(yes) || word.equals(no)) {
            return word.equals(yes);
        }
        throw new IllegalArgumentException("'" + word + "' is neither " + yes + " nor " + no);
    }

    /** The most messages that a link takes at once: all of them together no more than may cross in a second. */
    int most() {
        int links = rules.size() + (areRepliesMapped ? Direction.values().length : 0);
        return perSecond == 0 ? batch : Math.max(1, Math.min(batch, perSecond / links));
    }

    /** The queue of the bridge for messages that cannot cross. It is on the side that they come from. */
    public String deadLetterQueue() {
        return queue("dead");
    }

    /**
     * The queues of the bridge's own that can have messages of applications.
     *
     * @param isFirst of which side
     */
    public List<Place> ownQueues(boolean isFirst) {
        List<Place> own = new ArrayList<>();
        if (areRepliesMapped || rules.stream().anyMatch(rule -> (rule.direction() == Direction.OVER) == isFirst)) {
            own.add(Place.queue(deadLetterQueue()));
        }
        if (areRepliesMapped) {
            own.add(Place.queue(replyQueue()));
        }
        return own;
    }

    /** The queue that stands for temporary queues of the other side. */
    String replyQueue() {
        return queue("replies");
    }

    /** A queue of the bridge's own. */
    String queue(String purpose) {
        return "readpast.bridge." + name + "." + purpose;
    }
}
