/** What becomes of claimed messages: deleted, told to a history, given back, held by lease. */
package org.readpast.jms.store.jdbc.acknowledge;
