package org.readpast.jms.selector;

/** The header fields and properties of a message that a selector may name. */
@FunctionalInterface
public interface Values {

    /**
     * The value of a header field or property.
     *
     * @param name a name as it stands in the selector; case matters
     * @return a String, Boolean, Byte, Short, Integer, Long, Float or Double, or null where there is none; JMSDeliveryMode is
     *     {@code PERSISTENT} or {@code NON_PERSISTENT}
     */
    Object get(String name);
}
