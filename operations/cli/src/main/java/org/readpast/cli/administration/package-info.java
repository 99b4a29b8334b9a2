/** Commands for queues, schema and sessions, and those that run the bridge and the console. */
package org.readpast.cli.administration;
