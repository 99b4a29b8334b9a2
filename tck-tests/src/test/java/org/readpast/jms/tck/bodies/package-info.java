/** Large bodies for many subscriptions. */
package org.readpast.jms.tck.bodies;
