/** A connection factory whose destinations are in several databases: docs/routing.md. */
package org.readpast.jms.tck.routing;
