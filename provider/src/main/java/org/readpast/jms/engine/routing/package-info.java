/**
 * A connection to several databases: one connection to each, made when it is first needed, and which of them a destination is in. What would
 * take two of them in one transaction is refused at the call. Imports the engine, and is imported by ROOT alone.
 */
package org.readpast.jms.engine.routing;
