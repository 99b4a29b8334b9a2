/** Bodies and properties of messages, to and from what the columns of a table hold. Imports nothing of ours. */
package org.readpast.jms.codec;
