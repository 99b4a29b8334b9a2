/** The queues and topics that applications name. */
package org.readpast.jms.destination;
