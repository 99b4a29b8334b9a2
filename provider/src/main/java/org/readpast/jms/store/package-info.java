/**
 * The message store in its own words: claim, acknowledge, redeliver, insert, publish, subscribe, browse.
 * Interfaces, records and one carrier of an answer only; may import {@code codec} and {@code selector}.
 */
package org.readpast.jms.store;
