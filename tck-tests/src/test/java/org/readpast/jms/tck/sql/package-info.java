/** The procedures and functions for programs in SQL, with a JMS client at the other end. */
package org.readpast.jms.tck.sql;
