package org.readpast.jms.config;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.readpast.jms.config.DestinationRules.Rule;

/** Turns what a user wrote into checked options, and refuses what is no option. Used once, by one thread. */
final class OptionReader {

    private static final List<String> GROUPS = List.of("redelivery", "expiry", "consumer");

    /** ActiveMQ's way to trust every class. */
    private static final String TRUST_ALL = "trustAllPackages";

    private final Map<Option, String> plain = new EnumMap<>(Option.class);
    private final Map<String, Rule> rules = new LinkedHashMap<>();
    private final Map<String, String> writtenAs = new LinkedHashMap<>();
    private final Map<String, String> foreignPolicy = new TreeMap<>();
    private final Map<String, String> foreignPolicyAsWritten = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, Map<String, String>> routes = new TreeMap<>();

    /** @throws IllegalArgumentException for an unknown option, a bad value, or an option that is given twice */
    OptionReader(Map<String, String> written) {
        new TreeMap<>(written).forEach(this::read);
        readForeignPolicy();
    }

    private void readForeignPolicy() {
        ForeignOptions.redelivery(foreignPolicy, foreignPolicyAsWritten, notes)
                .forEach((option, value) -> rule(
                        option,
                        DestinationRules.EVERYTHING,
                        ForeignOptions.POLICY_PREFIX + "*, as " + option.key(),
                        value));
    }

    private OptionReader() {}

    /** Reads one option for its errors only. */
    static void check(String name, String value) {
        OptionReader reader = new OptionReader();
        reader.read(name, value);
        reader.readForeignPolicy();
    }

    /** Whether a name is that of an option, ours or one that is understood. */
    static boolean knows(String name) {
        String foreign = withoutUrlPrefix(name);
        String field = name.substring(name.lastIndexOf('.') + 1);
        return Option.of(name).isPresent()
                || name.startsWith(RouteOptions.PREFIX)
                || GROUPS.stream()
                        .anyMatch(group -> name.startsWith(group + ".")
                                && Option.of(group + "." + field).isPresent())
                || plainOption(foreign).isPresent()
                || ForeignOptions.hasNoEffectHere(foreign)
                || foreign.startsWith(ForeignOptions.POLICY_PREFIX)
                || foreign.equals(TRUST_ALL);
    }

    /** The option that a name without a pattern stands for, be it ours or another provider's. */
    static Optional<Option> plainOption(String name) {
        String bare = withoutUrlPrefix(name);
        return Option.of(bare).or(() -> ForeignOptions.option(bare));
    }

    /** The known name that is at most two slips away from a name that is long enough for that to mean something. */
    static Optional<String> closeTo(String name) {
        String nearest = Nearest.to(name, known());
        return name.length() > 4 && Nearest.slips(name, nearest) <= 2 ? Optional.of(nearest) : Optional.empty();
    }

    /** Lets whatever the other has take the place of what is here. */
    void overlay(OptionReader upper) {
        plain.putAll(upper.plain);
        rules.putAll(upper.rules);
        notes.addAll(upper.notes);
        upper.routes.forEach((route, options) ->
                routes.computeIfAbsent(route, name -> new TreeMap<>()).putAll(options));
    }

    Map<Option, String> plain() {
        return plain;
    }

    List<Rule> rules() {
        return List.copyOf(rules.values());
    }

    /** What is said of other databases, by their names. */
    Map<String, Map<String, String>> routes() {
        return Map.copyOf(routes);
    }

    /** What was understood only in part, or passed over; to be logged. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    private void read(String name, String value) {
        if (value == null) {
            throw new IllegalArgumentException("Option '" + name + "' has no value");
        }
        Optional<Option> option = Option.of(name);
        if (option.isPresent()) {
            set(option.get(), name, value);
        } else if (name.startsWith(RouteOptions.PREFIX)) {
            RouteOptions read = RouteOptions.read(name, value);
            routes.computeIfAbsent(read.route(), route -> new TreeMap<>()).put(read.option(), value.strip());
        } else if (!readPattern(name, value)) {
            readForeign(name, value);
        }
    }

    private void set(Option option, String name, String value) {
        if (option.perDestination()) {
            rule(option, DestinationRules.EVERYTHING, name, value);
            return;
        }
        String checked = option == Option.PASSWORD ? value : value.strip();
        option.check(name, checked);
        once(option.key(), name, checked.equals(plain.getOrDefault(option, checked)));
        plain.put(option, checked);
    }

    private void rule(Option option, String pattern, String name, String value) {
        String checked = option == Option.DEAD_LETTER_DESTINATION || option == Option.EXPIRY_DESTINATION
                ? value.strip().replaceFirst("^queue:///?", "")
                : value.strip();
        option.check(name, checked);
        Rule rule = new Rule(option, pattern, checked);
        String key = option.key() + " for " + pattern;
        once(key, name, !rules.containsKey(key) || rules.get(key).value().equals(checked));
        rules.put(key, rule);
    }

    private void once(String key, String name, boolean agrees) {
        String before = writtenAs.put(key, name);
        if (!agrees) {
            throw new IllegalArgumentException(
                    "Options '" + before + "' and '" + name + "' mean the same and differ; give one of them");
        }
    }

    /** {@code group.PATTERN.field}: no field has a dot in its name, so whatever is between the first and the last is pattern. */
    private boolean readPattern(String name, String value) {
        int first = name.indexOf('.');
        int last = name.lastIndexOf('.');
        String group = first < 0 ? "" : name.substring(0, first);
        if (!GROUPS.contains(group)) {
            return false;
        }
        String field = name.substring(last + 1);
        Optional<Option> option = Option.of(group + "." + field);
        if (option.isEmpty()) {
            List<String> fields =
                    Option.ofGroup(group).stream().map(Option::field).toList();
            throw new IllegalArgumentException("Unknown option '" + name + "'; the nearest known one is '"
                    + name.substring(0, last + 1) + Nearest.to(field, fields) + "' (" + group
                    + " options are written " + group + ".PATTERN.field)");
        }
        if (last == first + 1) {
            throw new IllegalArgumentException("Option '" + name + "' has an empty pattern between its dots; write '"
                    + option.get().key() + "' for all destinations");
        }
        String pattern = name.substring(first + 1, last);
        Rule.checkPattern(name, pattern);
        rule(option.get(), pattern, name, value);
        return true;
    }

    private void readForeign(String written, String value) {
        String name = withoutUrlPrefix(written);
        Optional<Option> other = plainOption(name);
        if (other.isPresent()) {
            set(other.get(), written, value);
        } else if (ForeignOptions.hasNoEffectHere(name)) {
            notes.add("Option '" + written + "' tunes another provider's protocol and has no effect here");
        } else if (name.startsWith(ForeignOptions.POLICY_PREFIX)) {
            String field = name.substring(ForeignOptions.POLICY_PREFIX.length());
            foreignPolicy.put(field, value.strip());
            foreignPolicyAsWritten.put(field, written);
        } else if (name.equals(TRUST_ALL)) {
            Option.NOTIFICATION.check(written, value.strip());
            if (Boolean.parseBoolean(value.strip())) {
                set(Option.TRUSTED_PACKAGES, written, "*");
            }
        } else {
            throw unknown(written, name);
        }
    }

    private static IllegalArgumentException unknown(String written, String name) {
        return new IllegalArgumentException("Unknown option '" + written + "'; the nearest known one is '"
                + Nearest.to(name, known()) + "' (docs/configuration.md lists all)");
    }

    private static List<String> known() {
        return Stream.concat(Stream.of(Option.values()).map(Option::key), ForeignOptions.names().stream())
                .toList();
    }

    private static String withoutUrlPrefix(String name) {
        return name.startsWith(ForeignOptions.URL_PREFIX) ? name.substring(ForeignOptions.URL_PREFIX.length()) : name;
    }
}
