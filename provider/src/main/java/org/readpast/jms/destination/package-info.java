/** Destinations as users hold them. Imports of ours only {@code config}, for the nearest known name of an option. */
package org.readpast.jms.destination;
