/** What the rest of the engine is made with: attempts, outages, interrupts, exception listeners, handles of the SQL connection. */
package org.readpast.jms.engine.support;
