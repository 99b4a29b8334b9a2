/** What the systems are made to do, and how it is measured. */
package org.readpast.benchmarks.workload;
