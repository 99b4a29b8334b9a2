package org.readpast.jms;

import javax.naming.StringRefAddr;

/** Part of a Reference whose content a log must not show. */
final class SecretAddress extends StringRefAddr {

    private static final long serialVersionUID = 1L;

    SecretAddress(String type, String content) {
        super(type, content);
    }

    @Override
    public String toString() {
        return "Type: " + getType() + "\nContent: (hidden)\n";
    }
}
