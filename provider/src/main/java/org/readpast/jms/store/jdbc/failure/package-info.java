/** What the errors of each database mean. */
package org.readpast.jms.store.jdbc.failure;
