/**
 * The message store over JDBC: the store itself, its transactions, and the dialects, each of which puts the parts of one database together.
 * Every statement is a file under {@code sql/}. May import {@code store}, {@code codec}, {@code selector}, {@code destination} and
 * {@code threads}.
 */
package org.readpast.jms.store.jdbc;
