/** Where threads are born, what they take with them from whoever has them started, and how they wait between questions. Imports nothing of ours. */
package org.readpast.jms.threads;
