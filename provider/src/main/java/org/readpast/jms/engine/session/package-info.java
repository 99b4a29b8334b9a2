/** A session and its parts: how it sends, receives and calls listeners, alone or in a transaction of the application's. */
package org.readpast.jms.engine.session;
