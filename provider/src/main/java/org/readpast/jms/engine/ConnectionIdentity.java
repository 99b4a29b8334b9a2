package org.readpast.jms.engine;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.engine.source.ClientIds;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

/** The client id of a connection, which is taken before the connection is used or not at all (§6.1.2). Thread-safe. */
final class ConnectionIdentity {

    private final ClientIds clientIds;

    /** Null while there is none. Guarded by this. */
    private String clientId;

    /** Guarded by this. */
    private boolean used;

    /** Whether the client id is taken here, and not by another connection in another database. Guarded by this. */
    private boolean taken;

    ConnectionIdentity(ClientIds clientIds) {
        this.clientIds = clientIds;
    }

    /** Null if none was taken. */
    synchronized String clientId() {
        return clientId;
    }

    /** From now on none can be taken. */
    synchronized void use() {
        used = true;
    }

    /**
     * @throws IllegalStateException if one is taken already or the connection was used
     * @throws InvalidClientIDException if it is null, empty, nothing that the database can hold, or in use by another connection
     */
    synchronized void take(String id) throws JMSException {
        checkMaySet(id);
        try {
            if (!clientIds.take(id)) {
                throw new InvalidClientIDException(
                        "The client id '" + Shown.inOneLine(id) + "' is in use by another connection");
            }
        } catch (StoreException e) {
            if (e.failure() == Failure.DATA) {
                throw JmsErrors.causedBy(new InvalidClientIDException(Shown.inOneLine(e.getMessage())), e);
            }
            throw JmsErrors.jms("Setting the client id '" + id + "' failed", e);
        }
        taken = true;
        clientId = id;
    }

    /** Has a client id that was taken elsewhere. */
    synchronized void goBy(String id) throws JMSException {
        checkMaySet(id);
        clientId = id;
    }

    private void checkMaySet(String id) throws JMSException {
        if (clientId != null) {
            throw new IllegalStateException(
                    "The connection has the client id '" + Shown.inOneLine(clientId) + "' already");
        }
        if (used) {
            throw new IllegalStateException("A client id can be set only before the connection is used (§6.1.2)");
        }
        if (id == null || id.isEmpty()) {
            throw new InvalidClientIDException("A client id cannot be empty");
        }
    }

    /** The connection is closed, and others may take its client id. */
    synchronized void release() throws JMSException {
        if (taken) {
            try {
                clientIds.release(clientId);
            } catch (StoreException e) {
                throw JmsErrors.jms("Releasing the client id '" + clientId + "' failed", e);
            }
        }
    }
}
