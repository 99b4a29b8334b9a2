/** Waking the waiting consumers of other JVMs by datagrams, and being woken by theirs. Knows {@code arrival}, and no database. */
package org.readpast.jms.engine.bell;
