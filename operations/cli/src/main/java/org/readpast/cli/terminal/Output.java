package org.readpast.cli.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.readpast.operations.database.Answer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tables for people, JSON for programs. */
public final class Output {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final int CELL = 60;

    public static final String NOT_WRITTEN = "the output cannot be written";

    /** Controls and formats of Unicode. {@code Cntrl} would be those of ASCII alone. */
    private static final String UNPRINTABLE = "[\\p{Cc}\\p{Cf}]";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Print JSON: an array of objects.")
    private boolean isJson;

    public boolean isJson() {
        return isJson;
    }

    public PrintWriter out() {
        return spec.commandLine().getOut();
    }

    public PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** A row of the table that is printed. */
    public interface Cells<T> {
        /** The value of each column: text, a number, a boolean, an Instant or null. */
        List<?> of(T row);
    }

    /**
     * Prints what is known. What is not known is an error, never an empty table.
     *
     * @return the exit code
     */
    public <T> int print(Answer<T> answer, List<String> columns, Cells<T> cells) {
        printRows(known(answer), columns, cells);
        return ExitCode.DONE;
    }

    /** The rows of what is known. What is not known is an error. */
    public static <T> List<T> known(Answer<T> answer) {
        return known(answer, "not known: ");
    }

    /**
     * The same.
     *
     * @param said before the reason why it is not known
     */
    public static <T> List<T> known(Answer<T> answer, String said) {
        if (answer instanceof Answer.Unknown<T> unknown) {
            throw new Failure.Refused(
                    unknown.grant() != null
                            ? ExitCode.NO_RIGHT
                            : unknown.isMissing() ? ExitCode.NOT_THERE : ExitCode.FAILED,
                    said + unknown.text());
        }
        return answer.rows();
    }

    /** Flushes, and is an error where not everything could be written: the disk is full, or who read a pipe is gone. */
    public static void check(PrintWriter writer) {
        if (writer.checkError()) {
            throw new Failure.Refused(ExitCode.FAILED, NOT_WRITTEN);
        }
    }

    /** As much of a text as is printed of a cell. */
    public String shown(String text) {
        return isJson || text == null || text.length() <= CELL ? text : text.substring(0, CELL + 1);
    }

    public <T> void printRows(List<T> rows, List<String> columns, Cells<T> cells) {
        List<List<?>> values = new ArrayList<>();
        rows.forEach(row -> values.add(cells.of(row)));
        if (isJson) {
            List<Map<String, Object>> objects = new ArrayList<>();
            for (List<?> row : values) {
                Map<String, Object> object = new LinkedHashMap<>();
                for (int i = 0; i < columns.size(); i++) {
                    Object value = row.get(i);
                    object.put(columns.get(i), value instanceof Instant moment ? moment.toString() : value);
                }
                objects.add(object);
            }
            json(objects);
        } else {
            table(columns, values);
        }
    }

    public void json(Object value) {
        try {
            out().println(escaped(JSON.writeValueAsString(value)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void table(List<String> columns, List<List<?>> rows) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns);
        rows.forEach(row -> lines.add(row.stream().map(Output::cell).toList()));
        int[] widths = new int[columns.size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                boolean isNumber = !rows.isEmpty() && rows.get(0).get(i) instanceof Number;
                String padding = " ".repeat(widths[i] - line.get(i).length());
                text.append(isNumber ? padding + line.get(i) : line.get(i) + padding)
                        .append("  ");
            }
            out().println(text.toString().stripTrailing());
        }
    }

    private static String cell(Object value) {
        if (value == null) {
            return "-";
        }
        if (value instanceof Instant moment) {
            return moment.truncatedTo(ChronoUnit.SECONDS).toString();
        }
        String text = plain(value.toString());
        return text.length() <= CELL ? text : text.substring(0, CELL - 3) + "...";
    }

    /**
     * Without control characters, and characters that turn the direction of writing, which somebody may have put into a message to write to a
     * terminal.
     */
    public static String plain(String text) {
        return text.replace('\n', ' ').replace('\t', ' ').replaceAll(UNPRINTABLE, "?");
    }

    /** The same JSON with such characters, and halves of pairs that UTF-8 has not, as escapes. What breaks its lines stays. */
    public static String escaped(String json) {
        return Pattern.compile("[" + UNPRINTABLE + "\\p{Cs}&&[^\\r\\n]]")
                .matcher(json)
                .replaceAll(found -> found.group()
                        .chars()
                        .mapToObj(unit -> String.format("\\\\u%04x", unit))
                        .collect(Collectors.joining()));
    }
}
