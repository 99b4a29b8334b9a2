package org.readpast.bridge.batch;

/** The two sides do not belong together: somebody has to look. */
public final class SidesApart extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what was found, for whoever has to look. */
    public SidesApart(String message) {
        super(message);
    }
}
