/** Statements from files, their parameters and results. Knows no table. */
package org.readpast.jms.store.jdbc.sql;
