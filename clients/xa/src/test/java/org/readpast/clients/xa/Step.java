package org.readpast.clients.xa;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Where a transaction manager's JVM dies, counted over both of its resources. */
enum Step {
    /** The work is done, and nothing is prepared. */
    BEFORE_PREPARE(false),
    /** One branch is prepared. */
    BETWEEN_PREPARES(false),
    /** Both are prepared, and the log says that they are to be committed. */
    BEFORE_COMMIT(true),
    /** One branch is committed. */
    BETWEEN_COMMITS(true),
    /** Both are, and the log still has them. */
    AFTER_COMMIT(true);

    private final boolean decided;

    Step(boolean decided) {
        this.decided = decided;
    }

    /** Whether the transaction is to be committed by whoever recovers it. */
    boolean isDecided() {
        return decided;
    }

    /** How often a resource has been told so already, of this JVM's two. */
    private static final class Told {
        private static int prepares;
        private static int commits;
    }

    /** A resource whose caller dies at this step. */
    XAResource in(XAResource resource) {
        return new Dying(resource, this);
    }

    private void reach(Step here) {
        if (this == here) {
            Runtime.getRuntime().halt(Mover.HALTED);
        }
    }

    private record Dying(XAResource resource, Step step) implements XAResource {

        @Override
        public int prepare(Xid xid) throws XAException {
            step.reach(Told.prepares++ == 0 ? BEFORE_PREPARE : BETWEEN_PREPARES);
            return resource.prepare(xid);
        }

        @Override
        public void commit(Xid xid, boolean onePhase) throws XAException {
            step.reach(Told.commits++ == 0 ? BEFORE_COMMIT : BETWEEN_COMMITS);
            resource.commit(xid, onePhase);
            if (Told.commits == 2) {
                step.reach(AFTER_COMMIT);
            }
        }

        @Override
        public void start(Xid xid, int flags) throws XAException {
            resource.start(xid, flags);
        }

        @Override
        public void end(Xid xid, int flags) throws XAException {
            resource.end(xid, flags);
        }

        @Override
        public void rollback(Xid xid) throws XAException {
            resource.rollback(xid);
        }

        @Override
        public void forget(Xid xid) throws XAException {
            resource.forget(xid);
        }

        @Override
        public Xid[] recover(int flag) throws XAException {
            return resource.recover(flag);
        }

        @Override
        public boolean isSameRM(XAResource other) throws XAException {
            return other instanceof Dying that ? resource.isSameRM(that.resource) : resource.isSameRM(other);
        }

        @Override
        public int getTransactionTimeout() throws XAException {
            return resource.getTransactionTimeout();
        }

        @Override
        public boolean setTransactionTimeout(int seconds) throws XAException {
            return resource.setTransactionTimeout(seconds);
        }
    }
}
