/** The brokers of the comparison, each in a JVM of its own, with every durable setting on. */
package org.readpast.benchmarks.broker;
