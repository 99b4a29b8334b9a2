package org.readpast.jms.destination;

import java.io.Serializable;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.config.Nearest;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The options that are written behind the name of a destination, as in {@code orders?exclusive=true}. They are not part of its name.
 * Immutable.
 */
public final class DestinationOptions implements Serializable {

    /** The options of a destination that has none. */
    public static final DestinationOptions NONE = new DestinationOptions("", false, null);

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = Loggers.of(DestinationOptions.class);

    /** Artemis' name and ActiveMQ's. */
    private static final Set<String> EXCLUSIVE = Set.of("exclusive", "consumer.exclusive");

    private static final String LEASE_SECONDS = "consumer.leaseSeconds";
    private static final int LONGEST_LEASE = 31_536_000;

    /** Those of ActiveMQ and Artemis that only tune how a broker feeds its consumers. */
    private static final Set<String> TUNING = Set.of(
            "consumer.prefetchSize",
            "consumer.priority",
            "consumer.dispatchAsync",
            "consumer.maximumPendingMessageLimit",
            "consumer.retroactive",
            "consumer-priority",
            "consumers-before-dispatch",
            "delay-before-dispatch",
            "group-rebalance",
            "group-rebalance-pause-dispatch",
            "group-buckets",
            "auto-delete",
            "auto-delete-delay",
            "auto-delete-message-count");

    /** Those that decide what a program receives, so that they must not be passed over. */
    private static final Set<String> UNSUPPORTED = Set.of(
            "consumer.selector",
            "consumer.noLocal",
            "filter-string",
            "routing-type",
            "durable",
            "enabled",
            "max-consumers",
            "group-first-key",
            "last-value",
            "last-value-key",
            "non-destructive",
            "purge-on-no-consumers",
            "ring-size");

    /** Which of the options without effect have been logged in this JVM. */
    private static final Set<String> NOTED = ConcurrentHashMap.newKeySet();

    private final String text;
    private final boolean exclusive;

    /** Null where nothing is said. */
    private final Integer leaseSeconds;

    private DestinationOptions(String text, boolean exclusive, Integer leaseSeconds) {
        this.text = text;
        this.exclusive = exclusive;
        this.leaseSeconds = leaseSeconds;
    }

    /**
     * Reads options of the form {@code name=value}, with {@code &} between them.
     *
     * @throws IllegalArgumentException for an option that is not known, or not supported, or a value that is not accepted
     */
    static DestinationOptions parse(String text) {
        boolean exclusive = false;
        Integer leaseSeconds = null;
        for (String option : text.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            String value = equals < 0 ? "" : option.substring(equals + 1);
            if (EXCLUSIVE.contains(name)) {
                exclusive = flag(name, value);
            } else if (name.equals(LEASE_SECONDS)) {
                leaseSeconds = seconds(name, value);
            } else {
                passOver(name);
            }
        }
        return new DestinationOptions(text, exclusive, leaseSeconds);
    }

    private static boolean flag(String name, String value) {
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException("Option '" + Shown.inOneLine(name) + "': '" + Shown.inOneLine(value)
                    + "' is not accepted; it takes true or false");
        }
        return Boolean.parseBoolean(value);
    }

    private static int seconds(String name, String value) {
        if (!value.matches("\\d{1,8}") || Integer.parseInt(value) > LONGEST_LEASE) {
            throw new IllegalArgumentException("Option '" + Shown.inOneLine(name) + "': '" + Shown.inOneLine(value)
                    + "' is not accepted; it takes a whole number of seconds from 0 to " + LONGEST_LEASE);
        }
        return Integer.parseInt(value);
    }

    private static void passOver(String name) {
        if (UNSUPPORTED.contains(name)) {
            throw new IllegalArgumentException(
                    "Option '" + Shown.inOneLine(name)
                            + "' is not supported in the name of a destination, and would change what is received; leave it out");
        }
        if (!TUNING.contains(name)) {
            Set<String> known = new TreeSet<>(TUNING);
            known.addAll(EXCLUSIVE);
            known.add(LEASE_SECONDS);
            throw new IllegalArgumentException("Unknown option '" + Shown.inOneLine(name)
                    + "' in the name of a destination; the nearest known one is '" + Nearest.to(name, known) + "'");
        }
        if (NOTED.add(name)) {
            LOG.warn("Option '{}' in the name of a destination has no effect here", name);
        }
    }

    /** Whether a consumer is to be the only one of its queue that gets messages. If false, the configuration decides. */
    public boolean isExclusive() {
        return exclusive;
    }

    /**
     * The lease, in seconds, with which a consumer claims a message so that no transaction stays open. 0 means that it claims by row lock
     * instead; empty means that the configuration decides.
     */
    public OptionalInt leaseSeconds() {
        return leaseSeconds == null ? OptionalInt.empty() : OptionalInt.of(leaseSeconds);
    }

    /** The options as they were written; empty if there are none. */
    @Override
    public String toString() {
        return text;
    }
}
