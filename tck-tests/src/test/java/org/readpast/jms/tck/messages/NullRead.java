package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What reading a null as a type does (§3.5.4, §3.11.3): the same as the type's {@code valueOf(String)} does with null.
 *
 * @param failure what it throws, or empty where it returns a value
 */
record NullRead(ValueType type, Optional<Class<? extends Exception>> failure, Object value) {

    /** A call that reads. */
    @FunctionalInterface
    interface Reading {
        Object read() throws JMSException;
    }

    static List<NullRead> ofProperties() {
        return List.of(
                returns(ValueType.BOOLEAN, false),
                fails(ValueType.BYTE, NumberFormatException.class),
                fails(ValueType.SHORT, NumberFormatException.class),
                fails(ValueType.INT, NumberFormatException.class),
                fails(ValueType.LONG, NumberFormatException.class),
                // Float.valueOf(null) and Double.valueOf(null) are the odd ones out.
                fails(ValueType.FLOAT, NullPointerException.class),
                fails(ValueType.DOUBLE, NullPointerException.class),
                returns(ValueType.STRING, null));
    }

    /** §3.11.3: "attempting to read a null value as a char must throw NullPointerException". */
    static List<NullRead> ofBodies() {
        List<NullRead> reads = new ArrayList<>(ofProperties());
        reads.add(fails(ValueType.CHAR, NullPointerException.class));
        reads.add(returns(ValueType.BYTES, null));
        return reads;
    }

    private static NullRead returns(ValueType type, Object value) {
        return new NullRead(type, Optional.empty(), value);
    }

    private static NullRead fails(ValueType type, Class<? extends Exception> failure) {
        return new NullRead(type, Optional.of(failure), null);
    }

    void assertOutcome(Reading reading) throws JMSException {
        if (failure.isPresent()) {
            assertThatExceptionOfType(failure.get()).isThrownBy(reading::read);
        } else {
            assertThat(reading.read()).isEqualTo(value);
        }
    }

    @Override
    public String toString() {
        return type + failure.map(thrown -> " throws " + thrown.getSimpleName()).orElse(" is " + value);
    }
}
