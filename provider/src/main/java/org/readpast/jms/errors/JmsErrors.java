package org.readpast.jms.errors;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.util.Map;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

/** The one place where trouble gets its {@code jakarta.jms} type (chapter 10). Thread-safe. */
public final class JmsErrors {

    /** The pairs of §10.3. MessageEOF and MessageNotReadable have no partner: the simplified API reads no bodies piecemeal. */
    private static final Map<Class<?>, Unchecked> UNCHECKED = Map.ofEntries(
            Map.entry(IllegalStateException.class, IllegalStateRuntimeException::new),
            Map.entry(InvalidClientIDException.class, InvalidClientIDRuntimeException::new),
            Map.entry(InvalidDestinationException.class, InvalidDestinationRuntimeException::new),
            Map.entry(InvalidSelectorException.class, InvalidSelectorRuntimeException::new),
            Map.entry(JMSSecurityException.class, JMSSecurityRuntimeException::new),
            Map.entry(MessageFormatException.class, MessageFormatRuntimeException::new),
            Map.entry(MessageNotWriteableException.class, MessageNotWriteableRuntimeException::new),
            Map.entry(ResourceAllocationException.class, ResourceAllocationRuntimeException::new),
            Map.entry(TransactionInProgressException.class, TransactionInProgressRuntimeException::new),
            Map.entry(TransactionRolledBackException.class, TransactionRolledBackRuntimeException::new));

    private JmsErrors() {}

    /**
     * The exception for a failed operation of the store. Its error code is the database's own, or else the name of the
     * {@link org.readpast.jms.store.Failure}; the linked exception is the database's where there is one. A deadlock is an
     * ordinary JMSException here: whether it undid a transaction of the application's only the caller knows, see
     * {@link #rolledBack}.
     *
     * @param what what was tried, on what, such as {@code Queue 'orders': claim failed}
     */
    public static JMSException jms(String what, StoreException problem) {
        String reason = reason(what, problem);
        String code = code(problem);
        JMSException error = switch (problem.failure()) {
            case AUTHENTICATION, PERMISSION -> new JMSSecurityException(reason, code);
            case DESTINATION_GONE -> new InvalidDestinationException(reason, code);
            case POOL_EXHAUSTED, OUT_OF_SPACE -> new ResourceAllocationException(reason, code);
            default -> new JMSException(reason, code);
        };
        return causedBy(error, problem);
    }

    /**
     * For a commit that could not be done and whose work is undone (§6.2.7).
     *
     * @param what what was tried, on what, and what became of it
     * @param problem why; may be null
     */
    public static TransactionRolledBackException rolledBack(String what, Exception problem) {
        String reason = problem == null ? what : reason(what, problem);
        return causedBy(new TransactionRolledBackException(reason, code(problem)), problem);
    }

    /** Links a problem as cause and as linked exception. @return the error that was given */
    public static <E extends JMSException> E causedBy(E error, Exception problem) {
        if (problem != null) {
            error.initCause(problem);
            error.setLinkedException(
                    problem instanceof StoreException && problem.getCause() instanceof Exception database
                            ? database
                            : problem);
        }
        return error;
    }

    /**
     * The partner of a checked exception in the simplified API (§10.3), with the checked one as its cause and with its message
     * and error code.
     */
    public static JMSRuntimeException unchecked(JMSException checked) {
        for (Class<?> type = checked.getClass(); type != JMSException.class; type = type.getSuperclass()) {
            Unchecked partner = UNCHECKED.get(type);
            if (partner != null) {
                return partner.make(checked.getMessage(), checked.getErrorCode(), checked);
            }
        }
        return new JMSRuntimeException(checked.getMessage(), checked.getErrorCode(), checked);
    }

    /**
     * The exception for something that was thrown where nothing of the kind should be, by the application's code or by ours.
     *
     * @param what whose code failed, at what
     * @param problem anything; the linked exception too, unless it is an Error
     */
    public static JMSException unexpected(String what, Throwable problem) {
        JMSException error = new JMSException(Shown.inOneLine(what + ": " + text(problem)));
        error.initCause(problem);
        if (problem instanceof Exception linked) {
            error.setLinkedException(linked);
        }
        return error;
    }

    /** Its class may be the application's, and fail. */
    private static String text(Throwable problem) {
        try {
            return problem.toString();
        } catch (RuntimeException | Error e) {
            return problem.getClass().getName();
        }
    }

    /** The same once more, for another caller who is told of the same failure. */
    public static JMSException again(JMSException told) {
        JMSException copy = told instanceof JMSSecurityException
                ? new JMSSecurityException(told.getMessage(), told.getErrorCode())
                : told instanceof ResourceAllocationException
                        ? new ResourceAllocationException(told.getMessage(), told.getErrorCode())
                        : new JMSException(told.getMessage(), told.getErrorCode());
        copy.initCause(told.getCause());
        copy.setLinkedException(told.getLinkedException());
        return copy;
    }

    /** Whether it is not known if what failed was carried out. */
    public static boolean isInDoubt(JMSException error) {
        return error.getCause() instanceof StoreException problem && problem.failure() == Failure.IN_DOUBT;
    }

    private static String reason(String what, Exception problem) {
        return Shown.inOneLine(problem.getMessage() == null ? what : what + ": " + problem.getMessage());
    }

    private static String code(Exception problem) {
        if (problem instanceof StoreException store) {
            return store.vendorCode() != null
                    ? store.vendorCode()
                    : store.failure().name();
        }
        return problem instanceof JMSException jms ? jms.getErrorCode() : null;
    }

    @FunctionalInterface
    private interface Unchecked {
        JMSRuntimeException make(String message, String errorCode, Throwable cause);
    }
}
