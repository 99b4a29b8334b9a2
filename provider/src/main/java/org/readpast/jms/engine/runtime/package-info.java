/** What all connections to one database share, and what becomes of messages that come back. */
package org.readpast.jms.engine.runtime;
