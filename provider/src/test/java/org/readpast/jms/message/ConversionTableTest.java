package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every cell of Table 3-2 (§3.5.4) and Table 3-7 (§3.11.3), and what they say of null and of Strings that are no numbers. */
class ConversionTableTest {

    private static final String BODIES = """
                    | boolean byte short char int long float double String byte[]
            boolean |    X      .    .    .    .   .     .     .      X      .
            byte    |    .      X    X    .    X   X     .     .      X      .
            short   |    .      .    X    .    X   X     .     .      X      .
            char    |    .      .    .    X    .   .     .     .      X      .
            int     |    .      .    .    .    X   X     .     .      X      .
            long    |    .      .    .    .    .   X     .     .      X      .
            float   |    .      .    .    .    .   .     X     X      X      .
            double  |    .      .    .    .    .   .     .     X      X      .
            String  |    X      X    X    .    X   X     X     X      X      .
            byte[]  |    .      .    .    .    .   .     .     .      .      X
            """;

    private static final String PROPERTIES = """
                    | boolean byte short int long float double String
            boolean |    X      .    .    .   .     .     .      X
            byte    |    .      X    X    X   X     .     .      X
            short   |    .      .    X    X   X     .     .      X
            int     |    .      .    .    X   X     .     .      X
            long    |    .      .    .    .   X     .     .      X
            float   |    .      .    .    .   .     X     X      X
            double  |    .      .    .    .   .     .     X      X
            String  |    X      X    X    X   X     X     X      X
            """;

    /** A value of each type that every wider type and String can show to be the same. */
    private static Object valueOf(String type) {
        return switch (type) {
            case "boolean" -> true;
            case "byte" -> (byte) 7;
            case "short" -> (short) 7;
            case "char" -> '7';
            case "int" -> 7;
            case "long" -> 7L;
            case "float" -> 7.0f;
            case "double" -> 7.0;
            case "String" -> "7";
            default -> new byte[] {7};
        };
    }

    private static Object expected(String from, String to) {
        if (to.equals("String")) {
            return String.valueOf(valueOf(from));
        }
        return from.equals("String") && to.equals("boolean") ? false : valueOf(to);
    }

    /** Writes a value as its own type, in two ways, and reads it as another. */
    private interface Form {
        void set(String type, Object value) throws JMSException;

        void setObject(Object value) throws JMSException;

        Object get(String type) throws JMSException;
    }

    private static class PropertyForm implements Form {
        private final JmsMessage message = new JmsMessage();

        @Override
        public void set(String type, Object value) throws JMSException {
            switch (type) {
                case "boolean" -> message.setBooleanProperty("x", (Boolean) value);
                case "byte" -> message.setByteProperty("x", (Byte) value);
                case "short" -> message.setShortProperty("x", (Short) value);
                case "int" -> message.setIntProperty("x", (Integer) value);
                case "long" -> message.setLongProperty("x", (Long) value);
                case "float" -> message.setFloatProperty("x", (Float) value);
                case "double" -> message.setDoubleProperty("x", (Double) value);
                default -> message.setStringProperty("x", (String) value);
            }
        }

        @Override
        public void setObject(Object value) throws JMSException {
            message.setObjectProperty("x", value);
        }

        @Override
        public Object get(String type) throws JMSException {
            return switch (type) {
                case "boolean" -> (Object) message.getBooleanProperty("x");
                case "byte" -> message.getByteProperty("x");
                case "short" -> message.getShortProperty("x");
                case "int" -> message.getIntProperty("x");
                case "long" -> message.getLongProperty("x");
                case "float" -> message.getFloatProperty("x");
                case "double" -> message.getDoubleProperty("x");
                default -> message.getStringProperty("x");
            };
        }
    }

    private static class MapForm implements Form {
        private final JmsMapMessage message = new JmsMapMessage();

        @Override
        public void set(String type, Object value) throws JMSException {
            switch (type) {
                case "boolean" -> message.setBoolean("x", (Boolean) value);
                case "byte" -> message.setByte("x", (Byte) value);
                case "short" -> message.setShort("x", (Short) value);
                case "char" -> message.setChar("x", (Character) value);
                case "int" -> message.setInt("x", (Integer) value);
                case "long" -> message.setLong("x", (Long) value);
                case "float" -> message.setFloat("x", (Float) value);
                case "double" -> message.setDouble("x", (Double) value);
                case "String" -> message.setString("x", (String) value);
                default -> message.setBytes("x", (byte[]) value);
            }
        }

        @Override
        public void setObject(Object value) throws JMSException {
            message.setObject("x", value);
        }

        @Override
        public Object get(String type) throws JMSException {
            return switch (type) {
                case "boolean" -> (Object) message.getBoolean("x");
                case "byte" -> message.getByte("x");
                case "short" -> message.getShort("x");
                case "char" -> message.getChar("x");
                case "int" -> message.getInt("x");
                case "long" -> message.getLong("x");
                case "float" -> message.getFloat("x");
                case "double" -> message.getDouble("x");
                case "String" -> message.getString("x");
                default -> message.getBytes("x");
            };
        }
    }

    private static class StreamForm implements Form {
        private final JmsStreamMessage message = new JmsStreamMessage();

        @Override
        public void set(String type, Object value) throws JMSException {
            switch (type) {
                case "boolean" -> message.writeBoolean((Boolean) value);
                case "byte" -> message.writeByte((Byte) value);
                case "short" -> message.writeShort((Short) value);
                case "char" -> message.writeChar((Character) value);
                case "int" -> message.writeInt((Integer) value);
                case "long" -> message.writeLong((Long) value);
                case "float" -> message.writeFloat((Float) value);
                case "double" -> message.writeDouble((Double) value);
                case "String" -> message.writeString((String) value);
                default -> message.writeBytes((byte[]) value);
            }
            message.reset();
        }

        @Override
        public void setObject(Object value) throws JMSException {
            message.writeObject(value);
            message.reset();
        }

        @Override
        public Object get(String type) throws JMSException {
            return switch (type) {
                case "boolean" -> (Object) message.readBoolean();
                case "byte" -> message.readByte();
                case "short" -> message.readShort();
                case "char" -> message.readChar();
                case "int" -> message.readInt();
                case "long" -> message.readLong();
                case "float" -> message.readFloat();
                case "double" -> message.readDouble();
                case "String" -> message.readString();
                default -> readBytes();
            };
        }

        private byte[] readBytes() throws JMSException {
            byte[] buffer = new byte[10];
            int count = message.readBytes(buffer);
            return count < 0 ? null : Arrays.copyOf(buffer, count);
        }
    }

    private static Form form(String kind) {
        return switch (kind) {
            case "property" -> new PropertyForm();
            case "map" -> new MapForm();
            default -> new StreamForm();
        };
    }

    private static String table(String kind) {
        return kind.equals("property") ? PROPERTIES : BODIES;
    }

    private static List<String> columns(String table) {
        return List.of(
                table.lines().findFirst().orElseThrow().replace("|", "").trim().split("\\s+"));
    }

    private static Map<String, List<String>> rows(String table) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        table.lines().skip(1).forEach(line -> {
            String[] cells = line.split("\\|", -1);
            rows.put(cells[0].trim(), List.of(cells[1].trim().split("\\s+")));
        });
        return rows;
    }

    @TestFactory
    Stream<DynamicTest> every_cell_is_as_the_specification_has_it() {
        return Stream.of("property", "map", "stream").flatMap(kind -> {
            List<String> columns = columns(table(kind));
            List<DynamicTest> tests = new ArrayList<>();
            rows(table(kind)).forEach((from, cells) -> {
                assertThat(cells).hasSameSizeAs(columns);
                for (int i = 0; i < cells.size(); i++) {
                    String to = columns.get(i);
                    boolean allowed = cells.get(i).equals("X");
                    tests.add(dynamicTest(kind + ": " + from + " as " + to, () -> check(kind, from, to, allowed)));
                }
            });
            return tests.stream();
        });
    }

    private static void check(String kind, String from, String to, boolean allowed) throws JMSException {
        Form typed = form(kind);
        typed.set(from, valueOf(from));
        Form generic = form(kind);
        generic.setObject(valueOf(from));
        for (Form form : List.of(typed, generic)) {
            if (allowed) {
                assertThat(form.get(to)).isEqualTo(expected(from, to));
            } else {
                assertThatThrownBy(() -> form.get(to)).isInstanceOf(MessageFormatException.class);
                assertThat(form.get(from))
                        .as("a failed read leaves the position")
                        .isEqualTo(valueOf(from));
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> null_is_read_as_valueOf_would() {
        return Stream.of("property", "map", "stream")
                .flatMap(kind -> columns(table(kind)).stream()
                        .map(type -> dynamicTest(kind + ": null as " + type, () -> {
                            Form form = form(kind);
                            form.setObject(null);
                            switch (type) {
                                case "boolean" -> assertThat(form.get(type)).isEqualTo(false);
                                case "String", "byte[]" ->
                                    assertThat(form.get(type)).isNull();
                                case "char", "float", "double" ->
                                    assertThatThrownBy(() -> form.get(type)).isInstanceOf(NullPointerException.class);
                                default ->
                                    assertThatThrownBy(() -> form.get(type)).isInstanceOf(NumberFormatException.class);
                            }
                        })));
    }

    @TestFactory
    Stream<DynamicTest> a_string_that_is_no_number_is_a_NumberFormatException() {
        return Stream.of("property", "map", "stream")
                .flatMap(kind -> Stream.of("byte", "short", "int", "long", "float", "double")
                        .map(type -> dynamicTest(kind + ": as " + type, () -> {
                            Form form = form(kind);
                            form.set("String", "s3cret");
                            assertThatThrownBy(() -> form.get(type))
                                    .isInstanceOf(NumberFormatException.class)
                                    .hasMessageNotContaining("s3cret");
                            assertThat(form.get("String")).isEqualTo("s3cret");
                        })));
    }

    @TestFactory
    Stream<DynamicTest> any_string_is_a_boolean() {
        return Stream.of("property", "map", "stream")
                .map(kind -> dynamicTest(kind, () -> {
                    Form truth = form(kind);
                    truth.set("String", "TRUE");
                    assertThat(truth.get("boolean")).isEqualTo(true);
                    Form other = form(kind);
                    other.set("String", "yes");
                    assertThat(other.get("boolean")).isEqualTo(false);
                }));
    }

    @TestFactory
    Stream<DynamicTest> objects_of_other_classes_are_refused() {
        return Stream.of("property", "map", "stream")
                .map(kind -> dynamicTest(kind, () -> {
                    assertThatThrownBy(() -> form(kind).setObject(BigDecimal.ONE))
                            .isInstanceOf(MessageFormatException.class)
                            .hasMessageContaining("java.math.BigDecimal");
                    assertThatThrownBy(() -> form(kind).setObject(List.of()))
                            .isInstanceOf(MessageFormatException.class);
                    assertThatThrownBy(() -> form(kind).setObject(new Byte[] {1}))
                            .isInstanceOf(MessageFormatException.class);
                }));
    }

    @Test
    void properties_hold_neither_chars_nor_bytes() {
        assertThatThrownBy(() -> new JmsMessage().setObjectProperty("x", 'c'))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new JmsMessage().setObjectProperty("x", new byte[1]))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void what_was_never_set_is_null() throws JMSException {
        JmsMapMessage message = new JmsMapMessage();
        assertThat(message.getObject("x")).isNull();
        assertThat(message.getBytes("x")).isNull();
        assertThat(message.getBoolean("x")).isFalse();
        assertThatThrownBy(() -> message.getInt("x")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> message.getChar("x")).isInstanceOf(NullPointerException.class);
        assertThat(message.getStringProperty("x")).isNull();
        assertThat(message.getObjectProperty("x")).isNull();
        assertThatThrownBy(() -> message.getLongProperty("x")).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void float_widens_to_the_double_of_the_same_value() throws JMSException {
        JmsMessage message = new JmsMessage();
        message.setFloatProperty("x", 0.1f);
        assertThat(message.getDoubleProperty("x")).isEqualTo((double) 0.1f);
        assertThat(message.getStringProperty("x")).isEqualTo("0.1");
    }
}
