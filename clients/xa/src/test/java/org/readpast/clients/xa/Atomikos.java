package org.readpast.clients.xa;

import static org.awaitility.Awaitility.await;

import com.atomikos.datasource.xa.XATransactionalResource;
import com.atomikos.icatch.config.Configuration;
import com.atomikos.icatch.config.UserTransactionServiceImp;
import com.atomikos.icatch.jta.TransactionManagerImp;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import javax.transaction.xa.XAResource;

/** Atomikos. */
record Atomikos(UserTransactionServiceImp service) implements Coordinator {

    /** How long a transaction may take. Recovery leaves what is younger to those that may be at it, so both have the same, and wait for it. */
    private static final Duration MOST = Duration.ofSeconds(10);

    static Atomikos start(Path log, String node, List<XAResource> resources) {
        return start(log, node, resources, MOST);
    }

    /** @param most how long a transaction may take */
    static Atomikos start(Path log, String node, List<XAResource> resources, Duration most) {
        Properties properties = new Properties();
        properties.setProperty("com.atomikos.icatch.log_base_dir", log.toString());
        properties.setProperty("com.atomikos.icatch.tm_unique_name", node);
        properties.setProperty("com.atomikos.icatch.default_jta_timeout", String.valueOf(most.toMillis()));
        properties.setProperty("com.atomikos.icatch.max_timeout", String.valueOf(most.toMillis()));
        UserTransactionServiceImp service = new UserTransactionServiceImp(properties);
        service.init();
        for (XAResource resource : resources) {
            Configuration.addResource(new Registered("resource " + resources.indexOf(resource), resource));
        }
        return new Atomikos(service);
    }

    /** A resource that it may enlist, and that it recovers by. */
    private static final class Registered extends XATransactionalResource {

        private final XAResource resource;

        private Registered(String name, XAResource resource) {
            super(name);
            this.resource = resource;
        }

        @Override
        protected XAResource refreshXAConnection() {
            return resource;
        }
    }

    @Override
    public TransactionManager manager() {
        return TransactionManagerImp.getTransactionManager();
    }

    /** A branch is ended when it is found a second time, after the longest that its transaction may have gone on. */
    @Override
    public void recover() {
        Configuration.getRecoveryService().performRecovery();
        long begun = System.nanoTime();
        await().atMost(MOST.multipliedBy(6)).until(() -> {
            boolean isOld = System.nanoTime() - begun > MOST.toNanos();
            return Configuration.getRecoveryService().performRecovery() && isOld;
        });
        stop();
    }

    /** Another one may be started then. */
    void stop() {
        service.shutdownForce();
    }
}
