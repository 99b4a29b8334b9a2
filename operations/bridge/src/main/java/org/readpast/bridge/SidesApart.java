package org.readpast.bridge;

/** The two sides do not belong together: somebody has to look. */
final class SidesApart extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SidesApart(String message) {
        super(message);
    }
}
