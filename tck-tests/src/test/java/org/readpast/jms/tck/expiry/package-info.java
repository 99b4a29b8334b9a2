/** Where expired messages go. */
package org.readpast.jms.tck.expiry;
