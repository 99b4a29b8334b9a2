/**
 * Where threads are born, what they and the loggers take with them from whoever comes first, and how threads wait between questions.
 * Imports nothing of ours.
 */
package org.readpast.jms.threads;
