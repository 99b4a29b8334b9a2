/** Destinations as users hold them. Imports nothing of ours. */
package org.readpast.jms.destination;
