package org.readpast.jms.races;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.Watch;

/**
 * A message store where a thread takes a step before each call and one after it. Its watch sees nothing: who is not woken for a message
 * sleeps beside it for ever.
 */
final class SteppedStore {

    /** What only looks at the Java object. */
    private static final Set<String> NO_STEPS = Set.of(
            "describe",
            "explain",
            "isOpen",
            "claimsWithCommit",
            "leasesInDoubt",
            "isConnectionToSpare",
            "instance",
            "others");

    private static final String LOOK = "available";

    private SteppedStore() {}

    /** Where a thread stops until it is its turn. */
    @FunctionalInterface
    interface Steps {
        void step(String what);
    }

    static MessageStore of(MessageStore store, Steps steps) {
        return stepped(MessageStore.class, store, steps);
    }

    private static <T> T stepped(Class<T> type, T target, Steps steps) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (target instanceof Watch && method.getName().equals(LOOK)) {
                return Set.of();
            }
            if (NO_STEPS.contains(method.getName())) {
                return call(target, method, args);
            }
            steps.step(method.getName());
            try {
                return stepped(call(target, method, args), steps);
            } finally {
                steps.step(method.getName() + " done");
            }
        }));
    }

    private static Object call(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object stepped(Object result, Steps steps) {
        if (result instanceof StoreTransaction transaction) {
            return stepped(StoreTransaction.class, transaction, steps);
        }
        if (result instanceof Presence presence) {
            return stepped(Presence.class, presence, steps);
        }
        return result instanceof Watch watch ? stepped(Watch.class, watch, steps) : result;
    }
}
