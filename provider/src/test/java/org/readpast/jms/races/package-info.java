/** Races between threads, on a message store in memory where a scheduler decides who goes on. */
package org.readpast.jms.races;
