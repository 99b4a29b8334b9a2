package org.readpast.jms.destination;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.readpast.jms.codec.Shown;

/**
 * What is written as the name of a destination, taken apart.
 *
 * @param physical the name without options; of a composite one with its members in their shortest form, each once
 * @param options what was behind it
 */
record DestinationName(String physical, DestinationOptions options) {

    private static final String SCHEME_END = "://";
    private static final String QUEUE = "queue";
    private static final char SEPARATOR = ',';

    private static final Pattern WITH_SCHEME = Pattern.compile("(?s)((?:temp-)?(?:queue|topic))://(.*)");

    /** A name that is nothing but a name, whatever is in it. */
    static DestinationName literal(String name) {
        return new DestinationName(name, DestinationOptions.NONE);
    }

    /**
     * Reads {@code name}, {@code name?option=value&...}, {@code member,member,...}, or both, with or without the scheme before it. A
     * question mark with no equals sign behind it is part of the name.
     *
     * @param written null for one that is not set yet
     * @param scheme of the destination, and of the members that name none themselves
     * @throws IllegalArgumentException for an option or a member that is not understood, or the scheme of another kind
     */
    static DestinationName read(String written, String scheme) {
        if (written == null) {
            return literal(null);
        }
        int mark = written.indexOf('?');
        boolean hasOptions = mark >= 0 && written.indexOf('=', mark) >= 0;
        String name = hasOptions ? written.substring(0, mark) : written;
        DestinationOptions options =
                hasOptions ? DestinationOptions.parse(written.substring(mark + 1)) : DestinationOptions.NONE;
        return new DestinationName(isComposite(name) ? canonical(name, scheme) : withoutScheme(name, scheme), options);
    }

    private static String withoutScheme(String written, String scheme) {
        Matcher parts = WITH_SCHEME.matcher(written);
        if (!parts.matches()) {
            return written;
        }
        if (!parts.group(1).equals(scheme)) {
            throw new IllegalArgumentException("'" + Shown.inOneLine(written) + "' names a "
                    + parts.group(1).replace("temp-", "temporary ") + ", and not a " + scheme);
        }
        return behind(scheme, parts.group(2));
    }

    /** IBM MQ has the name of a queue manager, or none, before a slash and the name of the queue: {@code queue:///ORDERS}. */
    private static String behind(String scheme, String name) {
        return scheme.equals(QUEUE) && name.startsWith("/") ? name.substring(1) : name;
    }

    static boolean isComposite(String name) {
        return name != null && name.indexOf(SEPARATOR) >= 0;
    }

    private static String canonical(String name, String scheme) {
        List<ReadpastDestination> members = members(name, scheme);
        if (members.size() == 1 && !members.get(0).scheme().equals(scheme)) {
            throw refused(name, "it names nothing but " + members.get(0) + ", which is another kind of destination");
        }
        return members.stream()
                .map(member -> member.scheme().equals(scheme) ? member.getName() : member.text())
                .collect(Collectors.joining(String.valueOf(SEPARATOR)));
    }

    /**
     * The destinations that a composite name stands for, each once, in their order.
     *
     * @throws IllegalArgumentException if one has no name, or is neither a queue nor a single topic
     */
    static List<ReadpastDestination> members(String name, String scheme) {
        Set<ReadpastDestination> members = new LinkedHashSet<>();
        for (String written : name.split(String.valueOf(SEPARATOR), -1)) {
            members.add(member(name, written.strip(), scheme));
        }
        return List.copyOf(members);
    }

    private static ReadpastDestination member(String whole, String written, String defaultScheme) {
        int end = written.indexOf(SCHEME_END);
        String scheme = end < 0 ? defaultScheme : written.substring(0, end);
        String name = end < 0 ? written : behind(scheme, written.substring(end + SCHEME_END.length()));
        if (name.isBlank()) {
            throw refused(whole, "one of its members has no name");
        }
        if (name.contains(SCHEME_END)) {
            throw refused(whole, "'" + written + "' has two schemes");
        }
        return switch (scheme) {
            case QUEUE -> new ReadpastQueue(literal(name));
            case "topic" -> {
                if (TopicPattern.isPattern(name)) {
                    throw refused(whole, "'" + written + "' has wildcards, which are for subscribing only");
                }
                yield new ReadpastTopic(literal(name));
            }
            case "temp-queue", "temp-topic" -> throw refused(whole, "'" + written + "' is temporary");
            default -> throw refused(whole, "'" + scheme + "' is neither queue nor topic");
        };
    }

    private static IllegalArgumentException refused(String name, String why) {
        return new IllegalArgumentException("'" + Shown.inOneLine(name) + "' is no composite destination: "
                + Shown.inOneLine(why) + "; write its members as in orders,queue://audit,topic://news");
    }
}
