/**
 * The message types: headers, properties, bodies and the conversions between types (§3), and their way to and from
 * {@link org.readpast.jms.codec.EncodedMessage}. May import {@code codec} and {@code destination}. Messages are not thread-safe
 * (§2.14).
 */
package org.readpast.jms.message;
