/** Who waits for messages, and who is woken when some arrive. */
package org.readpast.jms.engine.arrival;
