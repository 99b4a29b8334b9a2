package org.readpast.console.view;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.readpast.operations.database.Answer;

/**
 * A table on a page.
 *
 * @param title what it lists
 * @param unknown why it could not be read; null where it could
 * @param grant the right that is missing; null for none
 * @param columns their headings
 * @param rows of cells
 * @param none what is said where there is no row
 */
public record Table(
        String title, String unknown, String grant, List<String> columns, List<List<Cell>> rows, String none) {

    /**
     * A cell.
     *
     * @param text shown as it is
     * @param link a path of the console; null for none
     * @param isNumber whether it is aligned as one
     * @param line drawn in place of the text; null for none
     */
    public record Cell(String text, String link, boolean isNumber, Depths.Line line) {
        /** A value as text: a moment in UTC, a number aligned as one, nothing for null. */
        public static Cell of(Object value) {
            String text =
                    value == null ? "" : value instanceof java.time.Instant moment ? Text.of(moment) : value.toString();
            return new Cell(text, null, value instanceof Number, null);
        }

        /** A number that is written already. */
        public static Cell number(String text) {
            return new Cell(text, null, true, null);
        }

        /** A line; null for an empty cell. */
        public static Cell line(Depths.Line line) {
            return new Cell("", null, false, line);
        }

        /** A text that leads to a path of the console. */
        public static Cell link(String text, String link) {
            return new Cell(text, link, false, null);
        }
    }

    /** What could be read, or why it could not. */
    public static <T> Table of(
            String title, Answer<T> answer, String none, List<String> columns, Function<T, List<?>> cells) {
        List<List<Cell>> rows = new ArrayList<>();
        for (T row : answer.rows()) {
            rows.add(cells.apply(row).stream()
                    .map(value -> value instanceof Cell cell ? cell : Cell.of(value))
                    .toList());
        }
        Answer.Unknown<T> unknown = answer instanceof Answer.Unknown<T> found ? found : null;
        return new Table(
                title,
                unknown == null ? null : unknown.why(),
                unknown == null ? null : unknown.grant(),
                columns,
                rows,
                none);
    }
}
