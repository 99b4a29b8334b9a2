package org.readpast.clients.xa;

/** With Atomikos. */
class AtomikosRecoveryTest extends RecoveryContract {

    @Override
    Coordinator.Product product() {
        return Coordinator.Product.ATOMIKOS;
    }
}
