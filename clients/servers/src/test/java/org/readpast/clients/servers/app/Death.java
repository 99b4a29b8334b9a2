package org.readpast.clients.servers.app;

import jakarta.transaction.TransactionManager;
import javax.naming.InitialContext;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * A part of a distributed transaction at which the server's JVM dies, as it is told to prepare or to commit.
 *
 * @param step prepare or commit
 */
record Death(String step) implements XAResource {

    private static final int HALTED = 3;

    /** @param manager the name of the server's transaction manager in JNDI, or of the class that has it (Open Liberty) */
    void enlist(String manager) throws Exception {
        Object found = manager.startsWith("java:")
                ? new InitialContext().lookup(manager)
                : Class.forName(manager).getMethod("getTransactionManager").invoke(null);
        ((TransactionManager) found).getTransaction().enlistResource(this);
    }

    private void reach(String here) {
        if (step.equals(here)) {
            Runtime.getRuntime().halt(HALTED);
        }
    }

    @Override
    public int prepare(Xid xid) {
        reach("prepare");
        return XA_OK;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) {
        reach("commit");
    }

    @Override
    public void start(Xid xid, int flags) {}

    @Override
    public void end(Xid xid, int flags) {}

    @Override
    public void rollback(Xid xid) {}

    @Override
    public void forget(Xid xid) {}

    @Override
    public Xid[] recover(int flag) throws XAException {
        return new Xid[0];
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return this == other;
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }
}
