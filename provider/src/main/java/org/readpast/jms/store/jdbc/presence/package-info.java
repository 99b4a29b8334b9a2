/** What belongs to this JVM in the database and goes with it: its presence, client ids, consumers, temporary destinations. */
package org.readpast.jms.store.jdbc.presence;
