package org.readpast.jms.tck.messages;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One cell of a conversion table: a value that was written as the type of the row and is read as the type of the column.
 *
 * @param written the row
 * @param value what is written
 * @param read the column
 * @param expected what is read, or empty where the table has no mark and a MessageFormatException is due
 */
record Cell(ValueType written, Object value, ValueType read, Optional<Object> expected) {

    private static final Map<ValueType, Set<ValueType>> PROPERTY_MARKS = propertyMarks();
    private static final Map<ValueType, Set<ValueType>> BODY_MARKS = bodyMarks();

    /** Table 3-2: every row and column, 64 cells. */
    static List<Cell> ofProperties() {
        return cells(PROPERTY_MARKS);
    }

    /** Table 3-7: every row and column, 100 cells. */
    static List<Cell> ofBodies() {
        return cells(BODY_MARKS);
    }

    private static Map<ValueType, Set<ValueType>> propertyMarks() {
        Map<ValueType, Set<ValueType>> marks = new EnumMap<>(ValueType.class);
        marks.put(ValueType.BOOLEAN, EnumSet.of(ValueType.BOOLEAN, ValueType.STRING));
        marks.put(
                ValueType.BYTE,
                EnumSet.of(ValueType.BYTE, ValueType.SHORT, ValueType.INT, ValueType.LONG, ValueType.STRING));
        marks.put(ValueType.SHORT, EnumSet.of(ValueType.SHORT, ValueType.INT, ValueType.LONG, ValueType.STRING));
        marks.put(ValueType.INT, EnumSet.of(ValueType.INT, ValueType.LONG, ValueType.STRING));
        marks.put(ValueType.LONG, EnumSet.of(ValueType.LONG, ValueType.STRING));
        marks.put(ValueType.FLOAT, EnumSet.of(ValueType.FLOAT, ValueType.DOUBLE, ValueType.STRING));
        marks.put(ValueType.DOUBLE, EnumSet.of(ValueType.DOUBLE, ValueType.STRING));
        marks.put(ValueType.STRING, EnumSet.complementOf(EnumSet.of(ValueType.CHAR, ValueType.BYTES)));
        return marks;
    }

    /** The same marks, and a row and a column more for char and byte[]. */
    private static Map<ValueType, Set<ValueType>> bodyMarks() {
        Map<ValueType, Set<ValueType>> marks = new EnumMap<>(PROPERTY_MARKS);
        marks.put(ValueType.CHAR, EnumSet.of(ValueType.CHAR, ValueType.STRING));
        marks.put(ValueType.BYTES, EnumSet.of(ValueType.BYTES));
        return marks;
    }

    private static List<Cell> cells(Map<ValueType, Set<ValueType>> marks) {
        List<Cell> cells = new ArrayList<>();
        for (ValueType written : marks.keySet()) {
            for (ValueType read : marks.keySet()) {
                Object value = sample(written, read);
                boolean marked = marks.get(written).contains(read);
                cells.add(new Cell(
                        written, value, read, marked ? Optional.of(converted(value, read)) : Optional.empty()));
            }
        }
        return cells;
    }

    /** A value that shows whether anything is lost on the way: mostly an extreme one. */
    private static Object sample(ValueType written, ValueType read) {
        return switch (written) {
            case BOOLEAN -> true;
            case BYTE -> Byte.MIN_VALUE;
            case SHORT -> Short.MIN_VALUE;
            case CHAR -> '\u20ac';
            case INT -> Integer.MIN_VALUE;
            case LONG -> Long.MIN_VALUE;
            case FLOAT -> 1.1f;
            case DOUBLE -> -2.3e-300;
            case STRING -> sampleText(read);
            case BYTES -> "bytes".getBytes(StandardCharsets.UTF_8);
        };
    }

    private static String sampleText(ValueType read) {
        return switch (read) {
            case BOOLEAN -> "TRUE";
            case BYTE -> "-128";
            case SHORT -> "-32768";
            case INT -> "2147483647";
            case LONG -> "-9223372036854775808";
            case FLOAT -> "1.5e3";
            case DOUBLE -> "-2.5e-300";
            case CHAR -> "c";
            case STRING, BYTES -> "some text";
        };
    }

    private static Object converted(Object value, ValueType read) {
        String text = value.toString();
        return switch (read) {
            case BOOLEAN -> Boolean.valueOf(text);
            case BYTE -> Byte.valueOf(text);
            case SHORT -> Short.valueOf(text);
            case INT -> Integer.valueOf(text);
            case LONG -> Long.valueOf(text);
            case FLOAT -> Float.valueOf(text);
            // A float becomes a double by widening, not by way of its text.
            case DOUBLE -> value instanceof Float single ? Double.valueOf(single) : Double.valueOf(text);
            case STRING -> text;
            case CHAR, BYTES -> value;
        };
    }

    @Override
    public String toString() {
        return written + " read as " + read + (expected.isPresent() ? "" : " is refused");
    }
}
