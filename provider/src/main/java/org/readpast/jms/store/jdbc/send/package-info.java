/** Inserting messages, publishing them to subscriptions, leaving out duplicates. */
package org.readpast.jms.store.jdbc.send;
