/** What becomes of messages, in queues that keep a history of it. */
package org.readpast.jms.tck.history;
