/** Messages to and from the columns of a row. */
package org.readpast.jms.store.jdbc.row;
