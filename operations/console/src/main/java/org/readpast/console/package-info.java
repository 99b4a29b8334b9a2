/**
 * The console: pages on what {@code org.readpast.operations} sees and does, for whoever can sign in to the database. May import that, Jetty,
 * the templates and the reader of JSON; no JMS.
 */
package org.readpast.console;
