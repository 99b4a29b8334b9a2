/** What was measured, as numbers, as a page and as pictures. */
package org.readpast.benchmarks.report;
