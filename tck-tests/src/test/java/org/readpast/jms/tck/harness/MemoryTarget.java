package org.readpast.jms.tck.harness;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.readpast.jms.MemoryFactories;

/** Readpast on a message store in this JVM's memory, which has neither SQL connections nor users. */
final class MemoryTarget extends ReadpastTarget {

    /** Who looks it up in JNDI, or makes a factory from its URL, finds nothing. */
    private static final String NOWHERE = "jdbc:h2:mem:nowhere;IFEXISTS=TRUE";

    private final MemoryFactories factories;

    MemoryTarget() {
        this(new MemoryFactories());
    }

    private MemoryTarget(MemoryFactories factories) {
        super(TargetId.MEMORY, NOWHERE, options -> factories.factory(OPTIONS + options));
        this.factories = factories;
    }

    @Override
    Optional<String> openTransactionsQuery() {
        return Optional.empty();
    }

    @Override
    List<String> openTransactions() {
        return Collections.nCopies(factories.openTransactions(), "transaction");
    }

    @Override
    public String user() {
        return "anybody";
    }

    @Override
    public String password() {
        return "anything";
    }

    @Override
    public void stop() {
        // The database goes with the JVM.
    }
}
