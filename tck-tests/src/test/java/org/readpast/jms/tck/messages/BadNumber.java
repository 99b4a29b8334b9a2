package org.readpast.jms.tck.messages;

import java.util.List;

/** A text and a numeric type whose {@code valueOf} does not accept it: a NumberFormatException is due. */
record BadNumber(String text, ValueType read) {
    static final List<BadNumber> ALL = List.of(
            new BadNumber("abc", ValueType.BYTE),
            new BadNumber("128", ValueType.BYTE),
            new BadNumber("abc", ValueType.SHORT),
            new BadNumber("32768", ValueType.SHORT),
            new BadNumber("abc", ValueType.INT),
            new BadNumber("2147483648", ValueType.INT),
            new BadNumber("1.5", ValueType.INT),
            new BadNumber(" 1", ValueType.INT),
            new BadNumber("", ValueType.INT),
            new BadNumber("abc", ValueType.LONG),
            new BadNumber("9223372036854775808", ValueType.LONG),
            new BadNumber("1L", ValueType.LONG),
            new BadNumber("abc", ValueType.FLOAT),
            new BadNumber("abc", ValueType.DOUBLE),
            new BadNumber("", ValueType.DOUBLE));

    @Override
    public String toString() {
        return "'" + text + "' read as " + read;
    }
}
