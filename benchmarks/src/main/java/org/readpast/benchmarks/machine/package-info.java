/** What a run needs of the machine: PostgreSQL, JVMs of their own, a slow network, the processor's time. */
package org.readpast.benchmarks.machine;
