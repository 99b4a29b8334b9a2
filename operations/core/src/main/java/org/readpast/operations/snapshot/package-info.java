/**
 * What a database says of queues, consumers and messages within a second or so, as plain records.
 */
package org.readpast.operations.snapshot;
