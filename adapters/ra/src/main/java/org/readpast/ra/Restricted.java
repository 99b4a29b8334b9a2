package org.readpast.ra;

import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A session or context of the provider's, and what it makes, without what applications in a server must not call (Jakarta Messaging 12.2):
 * whatever would have a thread of the provider's run the application, or is for the server to decide.
 */
final class Restricted implements InvocationHandler {

    private static final Set<String> REFUSED = Set.of(
            "setMessageListener", "setExceptionListener", "setClientID", "stop", "setAsync", "run", "createContext");

    private final Object target;
    private final Runnable onClose;

    private Restricted(Object target, Runnable onClose) {
        this.target = target;
        this.onClose = onClose;
    }

    /** @param onClose run when it has been closed, also if that has failed */
    static <T> T restrict(Class<T> type, Object target, Runnable onClose) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> known = target.getClass(); known != null; known = known.getSuperclass()) {
            interfaces.addAll(Arrays.asList(known.getInterfaces()));
        }
        return type.cast(Proxy.newProxyInstance(
                target.getClass().getClassLoader(),
                interfaces.toArray(Class<?>[]::new),
                new Restricted(target, onClose)));
    }

    static JMSException refused(String method) {
        return new IllegalStateException(text(method));
    }

    private static String text(String method) {
        return method + " is not for applications in an application server (Jakarta Messaging 12.2)"
                + (method.equals("setMessageListener") ? "; use a message-driven bean" : "");
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("equals")) {
            return arguments[0] == proxy;
        }
        boolean completes =
                arguments != null && Arrays.stream(arguments).anyMatch(CompletionListener.class::isInstance);
        if (REFUSED.contains(name) || completes) {
            String what = completes ? "A CompletionListener" : name;
            throw Arrays.asList(method.getExceptionTypes()).contains(JMSException.class)
                    ? refused(what)
                    : new IllegalStateRuntimeException(text(what));
        }
        try {
            Object result = call(method, arguments);
            return result == target ? proxy : restricted(result);
        } finally {
            if (name.equals("close")) {
                onClose.run();
            }
        }
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object restricted(Object result) {
        return result instanceof MessageConsumer
                        || result instanceof MessageProducer
                        || result instanceof JMSConsumer
                        || result instanceof JMSProducer
                ? restrict(Object.class, result, () -> {})
                : result;
    }
}
