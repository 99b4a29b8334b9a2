/** What messages cost: round trips to the database, counted in the network and never timed. */
package org.readpast.jms.tck.cost;
