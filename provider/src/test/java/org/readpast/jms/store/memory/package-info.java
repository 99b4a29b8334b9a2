/**
 * A message store in memory, held to the same contract as the ones in SQL databases. One monitor guards all tables; a lock on a row is a
 * unit of work that owns it, and to read past is to step over rows that others own.
 */
package org.readpast.jms.store.memory;
