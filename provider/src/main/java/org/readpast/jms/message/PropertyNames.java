package org.readpast.jms.message;

import jakarta.jms.JMSException;
import java.util.Set;
import java.util.regex.Pattern;

/** Which names properties may have, and who sets them (§3.5.1, §3.5.9, §3.8.1.1). */
final class PropertyNames {

    static final String GROUP_ID = "JMSXGroupID";
    static final String GROUP_SEQ = "JMSXGroupSeq";
    static final String DELIVERY_COUNT = "JMSXDeliveryCount";
    static final String RECEIVE_TIMESTAMP = "JMSXRcvTimestamp";

    /** Why a row cannot be read. */
    static final String UNREADABLE = "JMS_READPAST_Unreadable";

    private static final Set<String> SET_BY_PROVIDER = Set.of(
            "JMSXUserID",
            "JMSXAppID",
            DELIVERY_COUNT,
            "JMSXProducerTXID",
            "JMSXConsumerTXID",
            RECEIVE_TIMESTAMP,
            "JMSXState",
            UNREADABLE);

    /** As in selectors, only ASCII letters ignore case. */
    private static final Pattern SELECTOR_WORD =
            Pattern.compile("NULL|TRUE|FALSE|NOT|AND|OR|BETWEEN|LIKE|IN|IS|ESCAPE", Pattern.CASE_INSENSITIVE);

    private PropertyNames() {}

    /** Whether it is one of those of Table 3-3 that a provider sets, or this provider's own. */
    static boolean isSetByProvider(String name) {
        return SET_BY_PROVIDER.contains(name);
    }

    /** Whether it is one of those for ActiveMQ's scheduler, which takes them off what it delivers. */
    static boolean isForScheduler(String name) {
        return name.startsWith("AMQ_SCHEDULED_");
    }

    /** Whether an application may use the name, as far as the prefixes decide that. */
    static boolean isFreeOfReservedPrefix(String name) {
        return !name.startsWith("JMS") || name.startsWith("JMS_") || name.equals(GROUP_ID) || name.equals(GROUP_SEQ);
    }

    /**
     * Checks a name that an application sets.
     *
     * @throws IllegalArgumentException if it is null or empty
     * @throws JMSException if a selector could not name it, or its prefix is reserved
     */
    static void check(String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("The name of a property must be neither null nor empty");
        }
        if (!isIdentifier(name) || SELECTOR_WORD.matcher(name).matches()) {
            throw new JMSException(
                    "'" + name
                            + "' cannot be the name of a property: it must be a Java identifier and no keyword of selectors (§3.8.1.1)");
        }
        if (!isFreeOfReservedPrefix(name) && !isSetByProvider(name)) {
            throw new JMSException(
                    "'" + name
                            + "' cannot be the name of a property: the prefix JMS is reserved (§3.5.9); choose a name without it");
        }
    }

    private static boolean isIdentifier(String name) {
        return Character.isJavaIdentifierStart(name.codePointAt(0))
                && name.codePoints().skip(1).allMatch(Character::isJavaIdentifierPart);
    }
}
