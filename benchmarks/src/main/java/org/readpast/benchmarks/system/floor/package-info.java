/**
 * The floor: the leanest JDBC that does the same durable work on the same database. It has no headers, no properties, no
 * redelivery, no topics; it is what is left of a queue when everything is taken away that a queue in a table can do without.
 */
package org.readpast.benchmarks.system.floor;
