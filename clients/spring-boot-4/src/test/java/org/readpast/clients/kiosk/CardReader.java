package org.readpast.clients.kiosk;

import org.springframework.stereotype.Component;

/** Cannot be made in a test, and need not be. */
@Component
class CardReader {
    CardReader() {
        throw new IllegalStateException("There is no card reader here");
    }
}
