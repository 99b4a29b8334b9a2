package org.readpast.cli.terminal;

import java.io.Console;
import java.util.Optional;

/** The terminal that somebody sits at, if one does. */
public final class Terminal {

    private Terminal() {}

    /** From JDK 22 on there is a console even where nobody sits, which says so by a method that earlier ones have not. */
    @SuppressWarnings("SystemConsoleNull")
    public static Optional<Console> find() {
        Console console = System.console();
        if (console == null) {
            return Optional.empty();
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console))
                    ? Optional.of(console)
                    : Optional.empty();
        } catch (NoSuchMethodException e) {
            return Optional.of(console);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
