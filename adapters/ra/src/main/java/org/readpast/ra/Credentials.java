package org.readpast.ra;

import jakarta.resource.spi.ConnectionRequestInfo;

/** A caller's own user and password. */
record Credentials(String userName, String password) implements ConnectionRequestInfo {

    /** Without the password. */
    @Override
    public String toString() {
        return "Credentials[" + userName + "]";
    }
}
