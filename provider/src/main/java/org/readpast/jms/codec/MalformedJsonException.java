package org.readpast.jms.codec;

/**
 * A column holds text that is not the JSON it should be: a program wrote it by hand. The message says what was expected and
 * where, never what the text is.
 */
public final class MalformedJsonException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    MalformedJsonException(String problem, int position) {
        super(problem + " at character " + (position + 1));
    }
}
