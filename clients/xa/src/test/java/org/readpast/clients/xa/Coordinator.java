package org.readpast.clients.xa;

import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.List;
import javax.transaction.xa.XAResource;

/** A transaction manager of this JVM. There is one in a JVM. */
interface Coordinator {

    TransactionManager manager();

    /** Ends what was begun by a JVM that has died, with the same log and the same node. */
    void recover() throws Exception;

    /** The products. */
    enum Product {
        ATOMIKOS {
            @Override
            Coordinator start(Path log, String node, List<XAResource> resources) {
                return Atomikos.start(log, node, resources);
            }
        },
        NARAYANA {
            @Override
            Coordinator start(Path log, String node, List<XAResource> resources) throws Exception {
                return Narayana.start(log, node, resources);
            }
        };

        /**
         * Sets it up.
         *
         * @param log where it notes which transactions are to be committed
         * @param node what its branches are marked with: it recovers no others
         * @param resources what its transactions are to have, and recovery is to use
         */
        abstract Coordinator start(Path log, String node, List<XAResource> resources) throws Exception;
    }
}
