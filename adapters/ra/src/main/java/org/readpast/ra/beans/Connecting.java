package org.readpast.ra.beans;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.ra.database.IsolationCheck;
import org.readpast.ra.database.MessageDatabase;
import org.readpast.ra.database.NamedDataSource;
import org.readpast.ra.transactions.NoTransactions;

/** Connects a bean when its database is there, and is the first worker's work then. */
final class Connecting extends LongWork {

    private final Bean bean;
    private final Pausing pausing;
    private final Workers workers;

    Connecting(Bean bean, Pausing pausing, Workers workers) {
        this.bean = bean;
        this.pausing = pausing;
        this.workers = workers;
    }

    @Override
    void work() {
        Worker first = null;
        boolean begins;
        try {
            while (workers.isOpen() && first == null && !Thread.currentThread().isInterrupted()) {
                try {
                    first = connected();
                    bean.outage().over();
                } catch (JMSException | RuntimeException | Error e) {
                    workers.delay(bean.outage().failed(e));
                }
            }
        } finally {
            begins = workers.begin(first);
        }
        if (begins) {
            first.run();
        } else {
            workers.goOnIfInterrupted();
        }
    }

    private Worker connected() throws JMSException {
        MessageDatabase database = bean.subscription().database();
        ContainerTransactions transactions =
                bean.isTransacted() ? bean.host().transactions(database) : new NoTransactions();
        Connection made = bean.host().factory(database).createConnection(transactions);
        try {
            if (bean.isTransacted()) {
                IsolationCheck.check(database.dataSource(), new NamedDataSource(database.dataSource()));
            }
            bean.subscription().start(made);
            Worker first = workers.newWorker(made);
            pausing.connected(made);
            workers.connected(made);
            return first;
        } catch (JMSException | RuntimeException | Error e) {
            Workers.close(made);
            throw e;
        }
    }

    @Override
    void interrupted() {
        workers.interrupted();
    }
}
