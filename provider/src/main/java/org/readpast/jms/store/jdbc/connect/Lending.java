package org.readpast.jms.store.jdbc.connect;

import java.sql.SQLException;
import org.readpast.jms.store.jdbc.failure.Failures;

/** Whether a pool lends, and what it does before. Thread-safe. */
final class Lending {

    private volatile Greeting greeting = connection -> {};

    /** Null while it lends. */
    private volatile String refusal;

    void greet(Greeting with) {
        greeting = with;
    }

    Greeting greeting() {
        return greeting;
    }

    void refuse(String reason) {
        refusal = reason;
    }

    void check() throws SQLException {
        String reason = refusal;
        if (reason != null) {
            throw new SQLException(reason, Failures.UNFIT);
        }
    }
}
