/** What is measured: the same few things, each done by every system in the way that suits it best. */
package org.readpast.benchmarks.system;
