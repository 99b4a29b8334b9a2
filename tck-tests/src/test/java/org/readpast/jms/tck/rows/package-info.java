/** Rows of queues that no client has written: by hand, by a repair that went wrong, by somebody who means harm. */
package org.readpast.jms.tck.rows;
