package org.readpast.clients.xa;

/** With Narayana. */
class NarayanaRecoveryTest extends RecoveryContract {

    @Override
    Coordinator.Product product() {
        return Coordinator.Product.NARAYANA;
    }
}
