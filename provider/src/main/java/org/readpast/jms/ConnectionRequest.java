package org.readpast.jms;

import java.sql.Connection;
import java.util.Optional;
import org.readpast.jms.config.Settings;
import org.readpast.jms.jms.Domain;

/**
 * All that is known when an application asks for a connection.
 *
 * @param credentials the caller's, or else the configured ones; empty for what the URL or the DataSource knows by itself
 * @param borrowed the application's own SQL connection that all sessions are to work on; never committed, rolled back or closed
 * @param domain which of the old interfaces was asked for
 */
record ConnectionRequest(
        Settings settings,
        Database database,
        Optional<Credentials> credentials,
        Optional<Connection> borrowed,
        Domain domain) {}
