/** Connections: where they come from, how they are lent, and how long they wait for an answer. */
package org.readpast.jms.store.jdbc.connect;
