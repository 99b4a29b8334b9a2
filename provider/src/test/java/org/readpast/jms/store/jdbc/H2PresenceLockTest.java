package org.readpast.jms.store.jdbc;

/** The lock of a JVM in an application's pool on H2. */
class H2PresenceLockTest extends PresenceLockContract {

    H2PresenceLockTest() {
        super(TestDatabase.H2);
    }
}
