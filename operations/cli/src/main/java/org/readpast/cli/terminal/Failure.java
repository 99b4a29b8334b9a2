package org.readpast.cli.terminal;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Set;
import java.util.regex.Pattern;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.failure.Vendor;
import org.readpast.operations.database.Product;

/**
 * What an error means to who called.
 *
 * @param code the exit code
 * @param text in one line, without passwords
 */
public record Failure(int code, String text) {

    /** As drivers quote it with the URL that it stands in. */
    private static final Pattern PASSWORD =
            Pattern.compile("(?i)((?:password|pwd|secret)\\s*=\\s*)(?:\\{(?:[^}]|}})*}?|[^;&#\\s\"]*)");

    /** Whichever it is: their errors do not overlap. */
    private static final Failures DATABASE = new Failures(Vendor.UNKNOWN);

    private static final Set<org.readpast.jms.store.Failure> NO_CONNECTION =
            Set.of(org.readpast.jms.store.Failure.CONNECTION_LOST, org.readpast.jms.store.Failure.AUTHENTICATION);

    private static final int H2_NO_DATABASE = 90146;
    private static final String INVALID_PARAMETER = "22023";
    private static final int SQL_SERVER_OWN = 50000;

    /** An error that the command itself raises. */
    public static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int code;

        public Refused(int code, String text) {
            super(text);
            this.code = code;
        }
    }

    public static Failure of(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            int code = code(cause);
            if (code != ExitCode.FAILED) {
                return new Failure(code, advice(code, text(error, cause)));
            }
        }
        return new Failure(ExitCode.FAILED, text(error, error));
    }

    private static int code(Throwable error) {
        if (error instanceof Refused refused) {
            return refused.code;
        }
        if (error instanceof IllegalArgumentException || error instanceof SQLFeatureNotSupportedException) {
            return ExitCode.USAGE;
        }
        if (error instanceof JMSSecurityException || error instanceof JMSSecurityRuntimeException) {
            return isForWantOfRight(error) ? ExitCode.NO_RIGHT : ExitCode.NO_CONNECTION;
        }
        if (error instanceof InvalidDestinationException || error instanceof InvalidDestinationRuntimeException) {
            return ExitCode.NOT_THERE;
        }
        return error instanceof SQLException sql ? code(sql) : ExitCode.FAILED;
    }

    /** JMS has one exception for a login that is refused and for one that lacks a right; the database tells them apart. */
    private static boolean isForWantOfRight(Throwable error) {
        for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return code(sql) == ExitCode.NO_RIGHT;
            }
        }
        return false;
    }

    private static int code(SQLException error) {
        String state = error.getSQLState() == null ? "" : error.getSQLState();
        if (NO_CONNECTION.contains(DATABASE.classify(error)) || error.getErrorCode() == H2_NO_DATABASE) {
            return ExitCode.NO_CONNECTION;
        }
        for (Product product : Product.values()) {
            if (product.isRefusal(error)) {
                return ExitCode.NO_RIGHT;
            }
        }
        for (Product product : Product.values()) {
            if (product.isMissing(error)) {
                return ExitCode.NOT_THERE;
            }
        }
        boolean isUnknownQueue =
                error.getMessage() != null && error.getMessage().contains("There is no queue");
        return isUnknownQueue && (state.equals(INVALID_PARAMETER) || error.getErrorCode() >= SQL_SERVER_OWN)
                ? ExitCode.NOT_THERE
                : ExitCode.FAILED;
    }

    private static String advice(int code, String text) {
        return switch (code) {
            case ExitCode.NO_CONNECTION -> "no connection: " + text;
            case ExitCode.NO_RIGHT -> "the login has not the right: " + text + ". See the roles in sql/README.md";
            default -> text;
        };
    }

    private static String text(Throwable outer, Throwable cause) {
        String text = message(outer) == null ? message(cause) : message(outer);
        if (cause != outer && message(cause) != null && text != null && !text.contains(message(cause))) {
            text = text + ": " + message(cause);
        }
        String line = (text == null ? outer.toString() : text.strip()).replaceAll("\\s*\\R\\s*", " ");
        return Output.plain(PASSWORD.matcher(line).replaceAll("$1***"));
    }

    /** Of a file Java says little more than its name. */
    private static String message(Throwable error) {
        if (error instanceof UncheckedIOException unchecked) {
            return message(unchecked.getCause());
        }
        if (error instanceof CharacterCodingException) {
            return "what was read is not in UTF-8";
        }
        if (error instanceof FileSystemException file && file.getReason() == null) {
            return file.getFile() + ": "
                    + (file instanceof NoSuchFileException
                            ? "there is no such file"
                            : file instanceof FileAlreadyExistsException
                                    ? "is there already"
                                    : file instanceof AccessDeniedException
                                            ? "access is denied"
                                            : file.getClass().getSimpleName());
        }
        return error.getMessage();
    }
}
