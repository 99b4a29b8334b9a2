/**
 * What is wrong in a database, why, by which evidence, and what to do.
 */
package org.readpast.operations.verdict;
