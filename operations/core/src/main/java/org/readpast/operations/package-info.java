/**
 * Looks at a database with Readpast in it and answers with plain records: queues, consumers, leases, and what is wrong and why. It knows
 * JDBC and the files in {@code sql/DATABASE/operations}, and nothing of the provider.
 */
package org.readpast.operations;
