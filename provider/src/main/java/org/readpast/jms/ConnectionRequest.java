package org.readpast.jms;

import java.util.Optional;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.jms.Domain;

/**
 * All that is known when an application asks for a connection.
 *
 * @param credentials the caller's, or else the configured ones; empty for what the URL or the DataSource knows by itself
 * @param joined the transactions that sessions are to take part in, where the caller names them
 * @param domain which of the old interfaces was asked for
 */
record ConnectionRequest(
        Settings settings,
        Database database,
        Optional<Credentials> credentials,
        Optional<Joining> joined,
        Domain domain) {

    /** The same with sessions that have transactions of their own only. */
    ConnectionRequest joiningNothing() {
        return new ConnectionRequest(settings, database, credentials, Optional.of(Joining.NONE), domain);
    }
}
