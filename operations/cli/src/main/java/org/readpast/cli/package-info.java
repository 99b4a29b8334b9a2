/** The command line {@code readpast}: what {@code readpast-operations} knows, and what JMS does, for whoever runs a database with Readpast in it. */
package org.readpast.cli;
