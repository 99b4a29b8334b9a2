package org.readpast.jms.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What users of other providers have in their configuration. Other names for options of ours are understood. What only tunes
 * another provider's protocol has no effect here and is passed over with a note; whatever would change what a program sees is in
 * neither list, so that it is refused.
 */
final class ForeignOptions {

    /** The prefix that client options have inside of a broker URL. */
    static final String URL_PREFIX = "jms.";

    /** ActiveMQ's and Qpid's redelivery policy of the client. */
    static final String POLICY_PREFIX = "redeliveryPolicy.";

    private static final Map<String, Option> OTHER_NAMES = Map.of(
            "userName", Option.USER,
            "username", Option.USER,
            "clientID", Option.CLIENT_ID,
            "clientid", Option.CLIENT_ID,
            "deserializationPolicy.allowList", Option.TRUSTED_PACKAGES,
            "deserializationPolicy.whiteList", Option.TRUSTED_PACKAGES,
            "deserializationAllowList", Option.TRUSTED_PACKAGES,
            "deserializationWhiteList", Option.TRUSTED_PACKAGES);

    private static final Set<String> TUNING = Set.of(
            "useAsyncSend",
            "alwaysSyncSend",
            "dispatchAsync",
            "optimizeAcknowledge",
            "optimizeAcknowledgeTimeOut",
            "optimizedAckScheduledAckInterval",
            "alwaysSessionAsync",
            "useDedicatedTaskRunner",
            "maxThreadPoolSize",
            "watchTopicAdvisories",
            "sendTimeout",
            "closeTimeout",
            "connectTimeout",
            "connectResponseTimeout",
            "requestTimeout",
            "producerWindowSize",
            "useCompression",
            "statsEnabled",
            "warnAboutUnstartedConnectionTimeout",
            "checkForDuplicates",
            "auditDepth",
            "auditMaximumProducerNumber",
            "forceSyncSend",
            "forceAsyncSend",
            "forceAsyncAcks",
            "awaitClientID",
            "redeliveryPolicy.preDispatchCheck");

    private static final String PREFETCH = "prefetchPolicy.";

    /** ActiveMQ's first delay where only exponential back-off is asked for; a delay of zero could never grow. */
    private static final String ACTIVEMQ_DELAY = "1000";

    private ForeignOptions() {}

    static Optional<Option> option(String name) {
        return Optional.ofNullable(OTHER_NAMES.get(name));
    }

    static Collection<String> names() {
        return OTHER_NAMES.keySet();
    }

    static boolean hasNoEffectHere(String name) {
        return name.startsWith(PREFETCH) || TUNING.contains(name);
    }

    /**
     * Our options for a redelivery policy of ActiveMQ's or Qpid's.
     *
     * @param policy its fields by their names
     * @param written the same names as the user wrote them, for errors
     * @param notes takes what cannot be expressed
     * @throws IllegalArgumentException for a field or a value that is not known
     */
    static Map<Option, String> redelivery(Map<String, String> policy, Map<String, String> written, List<String> notes) {
        Map<Option, String> options = new LinkedHashMap<>();
        Map<String, String> delays = new LinkedHashMap<>();
        boolean exponential = isTrue(policy, "useExponentialBackOff");
        boolean jitter = isTrue(policy, "useCollisionAvoidance");
        policy.forEach((field, value) -> {
            switch (field) {
                case "maximumRedeliveries", "maxRedeliveries" ->
                    options.put(Option.MAXIMUM_DELIVERIES, deliveries(written.get(field), value));
                case "initialRedeliveryDelay", "redeliveryDelay" -> {
                    Option.REDELIVERY_DELAY.check(written.get(field), value);
                    delays.put(field, value);
                }
                case "backOffMultiplier" -> {
                    Option.REDELIVERY_MULTIPLIER.check(written.get(field), value);
                    if (exponential) {
                        options.put(Option.REDELIVERY_MULTIPLIER, value);
                    }
                }
                case "maximumRedeliveryDelay" -> {
                    if (!value.equals("-1")) {
                        Option.REDELIVERY_CEILING.check(written.get(field), value);
                        options.put(Option.REDELIVERY_CEILING, value);
                    }
                }
                case "collisionAvoidancePercent" -> {
                    String fraction = percent(written.get(field), value);
                    if (jitter) {
                        options.put(Option.REDELIVERY_JITTER, fraction);
                    }
                }
                case "useExponentialBackOff", "useCollisionAvoidance" ->
                    Option.NOTIFICATION.check(written.get(field), value);
                default -> throw unknown(written.get(field), field);
            }
        });
        if (exponential) {
            options.putIfAbsent(Option.REDELIVERY_MULTIPLIER, "5");
        }
        if (jitter) {
            options.putIfAbsent(Option.REDELIVERY_JITTER, "0.15");
        }
        delay(delays, exponential, notes).ifPresent(value -> options.put(Option.REDELIVERY_DELAY, value));
        return options;
    }

    /** Theirs is a first delay and another one for all further deliveries that do not grow; ours is one. */
    private static Optional<String> delay(Map<String, String> delays, boolean exponential, List<String> notes) {
        String first = delays.get("initialRedeliveryDelay");
        String further = delays.get("redeliveryDelay");
        if (first == null && further == null) {
            return exponential ? Optional.of(ACTIVEMQ_DELAY) : Optional.empty();
        }
        if (first == null || further == null) {
            return Optional.of(first == null ? further : first);
        }
        String used = exponential ? first : further;
        if (!first.equals(further)) {
            notes.add("redeliveryPolicy.initialRedeliveryDelay=" + first + " and redeliveryDelay=" + further
                    + " differ: every redelivery starts from " + used + " ms");
        }
        return Optional.of(used);
    }

    private static boolean isTrue(Map<String, String> policy, String field) {
        return Boolean.parseBoolean(policy.get(field));
    }

    private static String deliveries(String name, String value) {
        long redeliveries;
        try {
            redeliveries = Long.parseLong(value);
        } catch (NumberFormatException notANumber) {
            redeliveries = Long.MIN_VALUE;
        }
        if (redeliveries < -1 || redeliveries >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Option '" + name + "': '" + value
                    + "' is not accepted; it takes a whole number from 0, or -1 for no limit");
        }
        return String.valueOf(redeliveries + 1);
    }

    private static String percent(String name, String value) {
        try {
            int percent = Integer.parseInt(value);
            if (0 <= percent && percent <= 100) {
                return String.valueOf(percent / 100.0);
            }
        } catch (NumberFormatException notANumber) {
            throw notAPercentage(name, value, notANumber);
        }
        throw notAPercentage(name, value, null);
    }

    private static IllegalArgumentException notAPercentage(String name, String value, Exception cause) {
        return new IllegalArgumentException(
                "Option '" + name + "': '" + value + "' is not accepted; it takes a whole number from 0 to 100", cause);
    }

    private static IllegalArgumentException unknown(String name, String field) {
        List<String> known = new ArrayList<>(List.of(
                "maximumRedeliveries",
                "initialRedeliveryDelay",
                "redeliveryDelay",
                "backOffMultiplier",
                "useExponentialBackOff",
                "maximumRedeliveryDelay",
                "useCollisionAvoidance",
                "collisionAvoidancePercent"));
        return new IllegalArgumentException("Unknown option '" + name + "'; the nearest known one is '"
                + name.substring(0, name.length() - field.length()) + Nearest.to(field, known) + "'");
    }
}
