/** Races between threads, on a message store in memory; in most of them a scheduler decides who goes on. */
package org.readpast.jms.races;
