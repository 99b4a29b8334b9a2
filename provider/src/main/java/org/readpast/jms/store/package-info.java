/**
 * The message store in its own words: claim, acknowledge, redeliver, insert, browse. Interfaces and records only; may
 * import {@code codec} and {@code selector}.
 */
package org.readpast.jms.store;
