package org.readpast.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers with as many digits as they deserve. */
final class Numbers {

    private static final MathContext DIGITS = new MathContext(3);

    private Numbers() {}

    /** Three digits. */
    static String plain(double value) {
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    /** The same, with commas between thousands. */
    static String grouped(double value) {
        return value < 1000
                ? plain(value)
                : String.format(Locale.ROOT, "%,d", Math.round(Double.parseDouble(plain(value))));
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
