package org.readpast.jms.config;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The options that differ by destination. For each option by itself the most specific pattern that matches a name decides: the
 * one with the most characters that are not {@code *}; among those the one with the fewest stars; then the one whose first star
 * comes last; then the first in alphabetical order.
 */
final class DestinationRules {

    /** For all destinations. */
    static final String EVERYTHING = "*";

    private final List<Rule> rules;

    DestinationRules(List<Rule> rules) {
        this.rules = rules.stream().sorted(Rule.MOST_SPECIFIC_FIRST).toList();
    }

    /**
     * One value for the destinations that a pattern matches.
     *
     * @param pattern a name in which {@code *} stands for any number of characters
     */
    record Rule(Option option, String pattern, String value) {

        static final Comparator<Rule> MOST_SPECIFIC_FIRST = Comparator.comparingInt(Rule::literals)
                .reversed()
                .thenComparingInt(Rule::stars)
                .thenComparing(Comparator.comparingInt(Rule::firstStar).reversed())
                .thenComparing(Rule::pattern);

        /**
         * Refuses what no name matches.
         *
         * @param option as it is written
         */
        static void checkPattern(String option, String pattern) {
            String name = pattern.replaceFirst("^(queue:///?|topic://)", "");
            if (!name.equals(pattern)) {
                throw new IllegalArgumentException("Option '" + option + "': '" + pattern
                        + "' is written without its scheme, as '" + name
                        + "', and is for the queue and the topic of that name");
            }
        }

        boolean matches(String name) {
            return isNamedBy(pattern, name);
        }

        boolean isForAll() {
            return pattern.equals(EVERYTHING);
        }

        private int literals() {
            return pattern.length() - stars();
        }

        private int stars() {
            return (int) pattern.chars().filter(c -> c == '*').count();
        }

        private int firstStar() {
            int star = pattern.indexOf('*');
            return star < 0 ? Integer.MAX_VALUE : star;
        }
    }

    RedeliveryPolicy redelivery(String destination) {
        String deadLetters = named(Option.DEAD_LETTER_DESTINATION, destination);
        return new RedeliveryPolicy(
                maximumDeliveries(destination, deadLetters),
                Long.parseLong(value(Option.REDELIVERY_DELAY, destination)),
                Double.parseDouble(value(Option.REDELIVERY_MULTIPLIER, destination)),
                Long.parseLong(value(Option.REDELIVERY_CEILING, destination)),
                Double.parseDouble(value(Option.REDELIVERY_JITTER, destination)),
                deadLetters);
    }

    /** The queue for expired messages of a destination, or null where they are purged. */
    String expiryDestination(String destination) {
        String queue = named(Option.EXPIRY_DESTINATION, destination);
        return queue.isEmpty() || queue.equals(destination) ? null : queue;
    }

    /** Whether only one consumer at a time gets messages of a destination. */
    boolean exclusive(String destination) {
        return Boolean.parseBoolean(value(Option.EXCLUSIVE, destination));
    }

    /** For how many seconds a consumer claims messages of a destination; 0 for as long as its transaction is open. */
    int leaseSeconds(String destination) {
        return Integer.parseInt(value(Option.LEASE_SECONDS, destination));
    }

    /** A dead letter that fails again stays where it is, unless a rule for its queue says otherwise and names another queue. */
    private int maximumDeliveries(String destination, String deadLetters) {
        Optional<Rule> rule = rule(Option.MAXIMUM_DELIVERIES, destination);
        boolean meantForThis = rule.isPresent() && !rule.get().isForAll();
        if (deadLetters.equals(destination) || (!meantForThis && holdsDeadLetters(destination))) {
            return 0;
        }
        return Integer.parseInt(rule.map(Rule::value).orElse(Option.MAXIMUM_DELIVERIES.defaultValue()));
    }

    private boolean holdsDeadLetters(String destination) {
        List<Rule> named = rules.stream()
                .filter(rule -> rule.option() == Option.DEAD_LETTER_DESTINATION)
                .toList();
        Stream<String> queues = named.stream().anyMatch(Rule::isForAll)
                ? named.stream().map(Rule::value)
                : Stream.concat(
                        named.stream().map(Rule::value), Stream.of(Option.DEAD_LETTER_DESTINATION.defaultValue()));
        return queues.anyMatch(queue -> isNamedBy(queue, destination));
    }

    /**
     * Whether a pattern stands for a name, which somebody who sends a message may have chosen: what is between two stars is taken
     * where it is found first, so that nothing is tried twice.
     */
    private static boolean isNamedBy(String pattern, String name) {
        String[] pieces = pattern.split("\\*", -1);
        String last = pieces[pieces.length - 1];
        if (pieces.length == 1) {
            return name.equals(pattern);
        }
        int at = pieces[0].length();
        int end = name.length() - last.length();
        if (end < at || !name.startsWith(pieces[0]) || !name.endsWith(last)) {
            return false;
        }
        for (int i = 1; i < pieces.length - 1; i++) {
            int found = name.indexOf(pieces[i], at);
            if (found < 0 || found + pieces[i].length() > end) {
                return false;
            }
            at = found + pieces[i].length();
        }
        return true;
    }

    private String named(Option option, String destination) {
        return value(option, destination).replace("*", destination);
    }

    private String value(Option option, String destination) {
        return rule(option, destination).map(Rule::value).orElse(option.defaultValue());
    }

    private Optional<Rule> rule(Option option, String destination) {
        Objects.requireNonNull(destination, "destination");
        return rules.stream()
                .filter(rule -> rule.option() == option && rule.matches(destination))
                .findFirst();
    }

    /** The rules as options by their own names. */
    void show(Map<String, String> into) {
        for (Rule rule : rules) {
            into.put(
                    rule.isForAll()
                            ? rule.option().key()
                            : rule.option().group() + "." + rule.pattern() + "."
                                    + rule.option().field(),
                    rule.value());
        }
    }
}
