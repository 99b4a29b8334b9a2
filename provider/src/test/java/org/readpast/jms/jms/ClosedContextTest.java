package org.readpast.jms.jms;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.MemoryFactories;

/** What was made by a context cannot be used when that is closed. */
class ClosedContextTest {

    private static JMSProducer producerOfClosed() {
        try (JMSContext context = new MemoryFactories().factory("").createContext()) {
            return context.createProducer();
        }
    }

    static Stream<Method> ofProducers() {
        return Stream.of(JMSProducer.class.getMethods());
    }

    @ParameterizedTest
    @MethodSource("ofProducers")
    void every_method_of_its_producers_is_refused(Method method) {
        JMSProducer producer = producerOfClosed();
        Object[] arguments = Stream.of(method.getParameterTypes())
                .map(type -> type == String.class
                        ? "x"
                        : type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null)
                .toArray();
        assertThatThrownBy(() -> method.invoke(producer, arguments))
                .isInstanceOf(InvocationTargetException.class)
                .hasCauseInstanceOf(IllegalStateRuntimeException.class);
    }
}
