/** Where messages are, and the DataSources of the container that lead there. */
package org.readpast.ra.database;
