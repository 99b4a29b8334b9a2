/** What the names of destinations can do beyond the specification: wildcards, several members, options. */
package org.readpast.jms.tck.destinations;
