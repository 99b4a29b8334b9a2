/** Bodies and properties of messages, to and from what the columns of a table hold. Also how names of
 * others are shown. Imports nothing of ours. */
package org.readpast.jms.codec;
