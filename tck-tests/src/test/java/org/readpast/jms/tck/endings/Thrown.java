package org.readpast.jms.tck.endings;

/** Throws what the compiler would not let through. */
final class Thrown {

    private Thrown() {}

    /** Throws it, whatever it is, without saying so. */
    static RuntimeException sneakily(Throwable thrown) {
        return Thrown.<RuntimeException>thrownAs(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T thrownAs(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
