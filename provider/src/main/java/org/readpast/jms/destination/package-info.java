/** Destinations as users hold them. Imports of ours only {@code config}, for the nearest known name of an
 * option, and {@code codec}, for how names are shown. */
package org.readpast.jms.destination;
