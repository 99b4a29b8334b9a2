package org.readpast.jms.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds what somebody who misspelt a name may have meant. */
public final class Nearest {

    private Nearest() {}

    /** The candidate with the smallest edit distance; the first in alphabetical order among equals. */
    public static String to(String name, Collection<String> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt((String candidate) -> slips(name, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
    }

    /**
     * How many slips of the pen lie between two names, upper and lower case being alike. One who leaves out everything before a
     * candidate's last dot has made a single slip.
     */
    static int slips(String name, String candidate) {
        String written = name.toLowerCase(Locale.ROOT);
        String meant = candidate.toLowerCase(Locale.ROOT);
        int whole = distance(written, meant);
        int dot = meant.lastIndexOf('.');
        return dot < 0 || written.indexOf('.') >= 0
                ? whole
                : Math.min(whole, 1 + distance(written, meant.substring(dot + 1)));
    }

    /** Levenshtein's distance, with one row of memory. */
    private static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int replaced = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[right.length()];
    }
}
