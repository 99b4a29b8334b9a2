package org.readpast.jms.engine.support;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.transaction.xa.Xid;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * What a transaction manager calls itself in its Xids. It recovers what has its name, so that two of one name roll back each other's branches:
 * a name that another one may well have is warned of, once. Thread-safe.
 */
public final class NodeIdentifier {

    private static final Logger LOG = Loggers.of(NodeIdentifier.class);

    /** Narayana's Xids: an id of so many bytes, and the node identifier. */
    private static final int NARAYANA = 131077;

    private static final int NARAYANA_ID = 28;

    /** What Narayana and WildFly, and Quarkus, have where nobody has set one. */
    private static final Set<String> NARAYANA_DEFAULTS = Set.of("1", "quarkus");

    /** Atomikos' Xids, of {@code ATOM}: the unique name, and a number. */
    private static final int ATOMIKOS = 0x41544F4D;

    private final AtomicBoolean seen = new AtomicBoolean();

    /** Looks at the first one that it is given. */
    void see(Xid xid) {
        if (seen.get() || seen.getAndSet(true)) {
            return;
        }
        byte[] id = xid.getGlobalTransactionId();
        if (xid.getFormatId() == NARAYANA && id.length > NARAYANA_ID) {
            String name = text(Arrays.copyOfRange(id, NARAYANA_ID, id.length));
            if (NARAYANA_DEFAULTS.contains(name)) {
                LOG.warn(
                        "The transaction manager's node identifier is '{}', as it is where nobody has set one. Another one with this"
                                + " database that has the same rolls back branches of this one that are in doubt. Give each of them its own:"
                                + " WildFly: node-identifier of subsystem=transactions, Quarkus:"
                                + " quarkus.transaction-manager.node-name, elsewhere Narayana's CoreEnvironmentBean.nodeIdentifier",
                        name);
            }
        } else if (xid.getFormatId() == ATOMIKOS && text(id).startsWith("127.")) {
            LOG.warn(
                    "The transaction manager's unique name, which '{}' begins with, is of an address that every host has. Another one with"
                            + " this database that has the same ends branches of this one that are in doubt. Set"
                            + " com.atomikos.icatch.tm_unique_name, another one for each",
                    text(id));
        }
    }

    /** Servers that pad Xids pad them with zeros. */
    private static String text(byte[] part) {
        return new String(part, StandardCharsets.UTF_8).trim();
    }
}
