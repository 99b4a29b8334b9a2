package org.readpast.jms.tck.selectors;

import java.util.Arrays;
import java.util.List;

/** A selector, and whether it selects the message at hand. */
record SelectorCase(String selector, boolean selects) {

    static List<SelectorCase> selecting(String... selectors) {
        return Arrays.stream(selectors)
                .map(selector -> new SelectorCase(selector, true))
                .toList();
    }

    static List<SelectorCase> notSelecting(String... selectors) {
        return Arrays.stream(selectors)
                .map(selector -> new SelectorCase(selector, false))
                .toList();
    }

    /** The selector as it can be shown in one line, and without what a report could not show. */
    @Override
    public String toString() {
        StringBuilder shown = new StringBuilder();
        selector.chars().limit(120).forEach(c -> {
            if (c < ' ' || c > '~') {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.append((char) c);
            }
        });
        return shown + (selects ? " selects" : " does not select");
    }
}
