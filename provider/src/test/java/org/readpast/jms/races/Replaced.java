package org.readpast.jms.races;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Objects of the store's whose answers a test replaces. */
public final class Replaced {

    private Replaced() {}

    /** What a call answers. */
    @FunctionalInterface
    public interface Answer {
        Object to(Method method, Object[] args) throws Throwable;
    }

    public static <T> T by(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> answer.to(method, args)));
    }

    /** What the real object answers. */
    public static Object call(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
