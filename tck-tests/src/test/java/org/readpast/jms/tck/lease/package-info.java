/** Consumers that claim by lease. */
package org.readpast.jms.tck.lease;
