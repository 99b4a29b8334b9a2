package org.readpast.jms.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.readpast.jms.config.DestinationRules.Rule;

/**
 * Which destinations are in which database. Of the patterns that match a name the most specific one decides, as for all options that differ
 * by destination; a name that none matches is in the factory's own database. Immutable.
 */
public final class Routes {

    /** What the factory's own database is called. */
    public static final String HOME = "home";

    /** What stands for any characters in a topic with wildcards: no character. */
    private static final char ANYTHING = Character.MAX_VALUE;

    private final List<Rule> rules;

    /** What differs by no option of {@link Option}: a rule's value is the database. */
    private Routes(List<Rule> rules) {
        this.rules = rules.stream().sorted(Rule.MOST_SPECIFIC_FIRST).toList();
    }

    /**
     * @param said what is said of each database, as {@link Settings#routes} has it
     * @throws IllegalArgumentException if two databases have the same pattern
     */
    public static Routes of(Map<String, Map<String, String>> said) {
        Map<String, Rule> rules = new TreeMap<>();
        said.forEach((database, options) -> {
            String option = RouteOptions.PREFIX + database + "." + RouteOptions.DESTINATIONS;
            for (String pattern : patterns(option, options.getOrDefault(RouteOptions.DESTINATIONS, ""))) {
                Rule before = rules.put(pattern, new Rule(null, pattern, database));
                if (before != null && !before.value().equals(database)) {
                    throw new IllegalArgumentException("'" + pattern + "' is among the destinations of two routes, '"
                            + before.value() + "' and '" + database + "'; leave it with one of them");
                }
            }
            // Where its dead letters go unless something else is said.
            if (!database.equals(HOME)) {
                rules.putIfAbsent(deadLetters(database), new Rule(null, deadLetters(database), database));
            }
        });
        return new Routes(List.copyOf(rules.values()));
    }

    /** The queue of the dead letters of a database other than the factory's own, unless something else is said. */
    public static String deadLetters(String database) {
        return Option.DEAD_LETTER_DESTINATION.defaultValue() + "." + database;
    }

    static List<String> patterns(String option, String value) {
        List<String> patterns = new ArrayList<>();
        for (String written : value.split(",", -1)) {
            String pattern = written.strip();
            if (pattern.isEmpty() && !value.isBlank()) {
                throw new IllegalArgumentException(
                        "Option '" + option + "': one of its names is empty; it takes names, or"
                                + " patterns with * for any characters, with commas between them");
            }
            Rule.checkPattern(option, pattern);
            if (!pattern.isEmpty()) {
                patterns.add(pattern);
            }
        }
        return patterns;
    }

    /** The database of a queue or topic. */
    public String databaseOf(String name) {
        return rules.stream()
                .filter(rule -> rule.matches(name))
                .map(Rule::value)
                .findFirst()
                .orElse(HOME);
    }

    /** The databases that topics may be in which match a topic with wildcards: {@code *} for one segment, {@code >} for any number. */
    public Set<String> databasesOf(String topics) {
        Set<String> databases = new TreeSet<>();
        String names = Stream.of(topics.split("\\.", -1))
                .map(segment -> segment.equals("*") || segment.equals(">") ? String.valueOf(ANYTHING) : segment)
                .collect(Collectors.joining("."));
        add(databases, names);
        for (String rest = topics; rest.endsWith(".>"); rest = rest.substring(0, rest.length() - 2)) {
            names = names.substring(0, names.length() - 2);
            add(databases, names);
        }
        return databases;
    }

    private void add(Set<String> databases, String names) {
        for (Rule rule : rules) {
            if (meet(rule.pattern(), names, true)) {
                databases.add(rule.value());
            }
            if (meet(rule.pattern(), names, false)) {
                return;
            }
        }
        databases.add(HOME);
    }

    /**
     * Whether a pattern matches some of these names, or else all of them.
     *
     * @param pattern with {@code *} for any characters
     * @param names with {@link #ANYTHING} for any characters
     * @param some whether one is enough
     */
    private static boolean meet(String pattern, String names, boolean some) {
        boolean[] next = new boolean[names.length() + 1];
        for (int i = pattern.length(); i >= 0; i--) {
            boolean[] row = new boolean[names.length() + 1];
            boolean star = i < pattern.length() && pattern.charAt(i) == '*';
            for (int j = names.length(); j >= 0; j--) {
                boolean anything = j < names.length() && names.charAt(j) == ANYTHING;
                if (i == pattern.length() && j == names.length()) {
                    row[j] = true;
                } else if (star && (next[j] || (j < names.length() && row[j + 1]))) {
                    row[j] = true;
                } else if (some && anything && (row[j + 1] || (i < pattern.length() && next[j]))) {
                    row[j] = true;
                } else {
                    row[j] = i < pattern.length()
                            && j < names.length()
                            && !star
                            && !anything
                            && pattern.charAt(i) == names.charAt(j)
                            && next[j + 1];
                }
            }
            next = row;
        }
        return next[0];
    }
}
