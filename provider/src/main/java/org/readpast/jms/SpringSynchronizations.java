package org.readpast.jms;

import jakarta.jms.TransactionRolledBackRuntimeException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.readpast.jms.store.ConnectionSource;

/**
 * What takes part in the end of a transaction of Spring's on the calling thread, and what of ours does: it refuses the commit where the
 * database has rolled back what was begun, and has gone on in another transaction. Thread-safe.
 */
final class SpringSynchronizations {

    /** How Spring gives back a connection that it keeps for a transaction on something else. Not public there. */
    private static final String KEPT_CONNECTION =
            "org.springframework.jdbc.datasource.DataSourceUtils$ConnectionSynchronization";

    private static final String REFUSAL =
            "An error such as a deadlock, in a statement of the application's or in a send or receive, ended the SQL transaction,"
                    + " and with it the messages that were sent and received; what came after it is rolled back too. Whoever"
                    + " catches such an error has to let the transaction roll back, and begin anew";

    private final Class<?> synchronization;
    private final MethodHandle isActive;
    private final MethodHandle all;
    private final MethodHandle register;

    SpringSynchronizations(ClassLoader loader, Class<?> synchronizations) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        synchronization = loader.loadClass("org.springframework.transaction.support.TransactionSynchronization");
        isActive = lookup.findStatic(synchronizations, "isSynchronizationActive", MethodType.methodType(boolean.class));
        all = lookup.findStatic(synchronizations, "getSynchronizations", MethodType.methodType(List.class));
        register = lookup.findStatic(
                synchronizations, "registerSynchronization", MethodType.methodType(void.class, synchronization));
    }

    /** Whether the calling thread is in a transaction of Spring's that asks before its commit. */
    boolean areActive() throws SQLException {
        return SpringSource.call(() -> (boolean) isActive.invoke());
    }

    /**
     * Whether Spring keeps the connection that is bound for a DataSource just until a transaction on something else ends, and will not
     * commit it.
     */
    boolean isOnlyKept(DataSource bound) throws SQLException {
        if (!areActive()) {
            return false;
        }
        for (Object registered : SpringSource.call(() -> (List<?>) all.invoke())) {
            if (registered.getClass().getName().equals(KEPT_CONNECTION) && dataSource(registered) == bound) {
                return true;
            }
        }
        return false;
    }

    private static Object dataSource(Object keptConnection) throws SQLException {
        return SpringSource.call(() -> {
            Field field = keptConnection.getClass().getDeclaredField("dataSource");
            field.setAccessible(true);
            return field.get(keptConnection);
        });
    }

    /** See {@link ConnectionSource#keepTo}. */
    boolean keepTo(DataSource source, String transaction, ConnectionSource.Identity atCommit) throws SQLException {
        for (Object registered : SpringSource.call(() -> (List<?>) all.invoke())) {
            if (Proxy.isProxyClass(registered.getClass())
                    && Proxy.getInvocationHandler(registered) instanceof Kept kept
                    && kept.source() == source) {
                return Objects.equals(kept.transaction(), transaction);
            }
        }
        register(new Kept(source, transaction, atCommit));
        return true;
    }

    /** See {@link ConnectionSource#setRollbackOnly}: whatever transaction there is by then, it is not the one in which all was done. */
    void refuse(DataSource source) throws SQLException {
        register(new Kept(source, "", () -> null));
    }

    /** See {@link ConnectionSource#afterCommit}. */
    boolean afterCommit(DataSource source, Runnable task) throws SQLException {
        if (!areActive()) {
            return false;
        }
        for (Object registered : SpringSource.call(() -> (List<?>) all.invoke())) {
            if (Proxy.isProxyClass(registered.getClass())
                    && Proxy.getInvocationHandler(registered) instanceof Told told
                    && told.source() == source) {
                told.tasks().add(task);
                return true;
            }
        }
        register(new Told(source, new ArrayList<>(List.of(task))));
        return true;
    }

    private void register(InvocationHandler handler) throws SQLException {
        Object ours =
                Proxy.newProxyInstance(synchronization.getClassLoader(), new Class<?>[] {synchronization}, handler);
        SpringSource.call(() -> {
            register.invoke(ours);
            return null;
        });
    }

    /** What is done after a commit of Spring's. */
    private record Told(DataSource source, List<Runnable> tasks) implements InvocationHandler {

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return switch (method.getName()) {
                case "afterCommit" -> {
                    tasks.forEach(Runnable::run);
                    yield null;
                }
                case "getOrder" -> Integer.MAX_VALUE;
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> "who tells of Readpast's messages";
                default -> null;
            };
        }
    }

    /** The first SQL transaction of one of Spring's. */
    private record Kept(DataSource source, String transaction, ConnectionSource.Identity atCommit)
            implements InvocationHandler {

        /** What is thrown before the commit makes Spring roll back, unless it is an exception of its transactions. */
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            return switch (method.getName()) {
                case "beforeCommit" -> {
                    if (!Objects.equals(transaction, atCommit.read())) {
                        throw new TransactionRolledBackRuntimeException(REFUSAL);
                    }
                    yield null;
                }
                case "getOrder" -> Integer.MAX_VALUE;
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> "the transaction of Readpast's messages";
                default -> null;
            };
        }
    }
}
