/** The schema and its upkeep: scripts, start-up checks, housekeeping. */
package org.readpast.jms.store.jdbc.upkeep;
