/**
 * The message store over JDBC. A {@link org.readpast.jms.store.jdbc.Dialect} per database owns whole operations; every
 * statement is a file under {@code sql/}. May import {@code store}, {@code codec},
 * {@code selector} and {@code destination}.
 */
package org.readpast.jms.store.jdbc;
