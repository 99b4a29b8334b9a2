/** Short transactions, marks in long ones, and what became of a commit whose answer was lost. */
package org.readpast.jms.store.jdbc.transaction;
