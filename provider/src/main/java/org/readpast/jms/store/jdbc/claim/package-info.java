/** Finding and locking messages, by groups where a queue has some. */
package org.readpast.jms.store.jdbc.claim;
