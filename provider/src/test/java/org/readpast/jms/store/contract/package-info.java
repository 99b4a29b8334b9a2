/** What every message store must do, in SQL databases and in memory. */
package org.readpast.jms.store.contract;
