/** Waiting for messages, and waking the consumers that wait when some arrive. */
package org.readpast.jms.engine.arrival;
