/** The transactions that connections and beans take part in: the container's, local ones, and branches of XA. */
package org.readpast.ra.transactions;
