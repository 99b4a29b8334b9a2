package org.readpast.jms;

import java.util.Optional;
import org.readpast.jms.config.Settings;

/**
 * The user that connects to the database. The text form shows neither name nor password.
 *
 * @param user null where the password alone was given
 * @param password may be null
 */
record Credentials(String user, String password) {

    /** Those that were configured. */
    static Optional<Credentials> of(Settings settings) {
        return settings.user() == null && settings.password() == null
                ? Optional.empty()
                : Optional.of(new Credentials(settings.user(), settings.password()));
    }

    /** Those of a {@code createConnection(user, password)}; two nulls are nobody in particular. */
    static Optional<Credentials> of(String user, String password) {
        return user == null && password == null ? Optional.empty() : Optional.of(new Credentials(user, password));
    }

    @Override
    public String toString() {
        return "Credentials(hidden)";
    }
}
