/**
 * Readpast beside the floor of its database and beside brokers, measured in one run on one machine. Begin with {@link
 * org.readpast.benchmarks.Main}; docs/benchmarks.md says how to read the results.
 */
package org.readpast.benchmarks;
