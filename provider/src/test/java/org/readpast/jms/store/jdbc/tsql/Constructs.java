package org.readpast.jms.store.jdbc.tsql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.readpast.jms.store.jdbc.tsql.Script.Use;

/**
 * The tables of docs/sqlserver-constructs.md: what may stand where, and what is known to be refused. A row is about each of the forms
 * in its first column, at each of the places in its second.
 */
final class Constructs {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Before files that are examples: then any file may use the form. */
    private static final String EXAMPLES = "e.g. ";

    /** {@code detail}: of an allowed form the files that use it, of a refused one its error. */
    private record Row(Set<String> forms, Set<String> places, String detail) {
        boolean allows(Use use, String file) {
            return forms.contains(use.form())
                    && places.contains(use.place())
                    && (detail.startsWith(EXAMPLES) || files().contains(name(file)));
        }

        Set<String> files() {
            return code(detail);
        }

        /** A refused hint is refused beside others too. */
        boolean refuses(String form, String place) {
            return (places.contains(place) || places.contains("anywhere"))
                    && forms.stream().anyMatch(one -> hints(form).containsAll(hints(one)));
        }
    }

    private final List<Row> allowed = new ArrayList<>();
    private final List<Row> refused = new ArrayList<>();

    Constructs(String page) {
        List<Row> rows = allowed;
        for (String line : page.lines().toList()) {
            if (line.startsWith("## ")) {
                rows = line.startsWith("## Refused") ? refused : allowed;
            }
            String[] cells = line.split("\\|", -1);
            if (line.startsWith("| `")) {
                Set<String> places = new TreeSet<>(List.of(cells[2].strip().split(", ")));
                rows.add(new Row(code(cells[1]), places, (rows == refused ? cells[3] : cells[4]).strip()));
            }
        }
    }

    /** Why this form may not stand there, null where it may. */
    String refuses(Use use, String file) {
        for (Row row : refused) {
            if (row.refuses(use.form(), use.place())) {
                return use.form() + " (" + use.place() + ") is refused: " + row.detail();
            }
        }
        return allowed.stream().anyMatch(row -> row.allows(use, file))
                ? null
                : use.form() + " (" + use.place() + ") is in no row for this file: add it to the table in"
                        + " docs/sqlserver-constructs.md, with a source that shows it in exactly this place";
    }

    /** What rows name that is not there: a form at a place, or in a file. */
    Set<String> unused(List<Linter.UseIn> uses) {
        Set<String> unused = new TreeSet<>();
        for (Row row : allowed) {
            Set<String> files = new TreeSet<>(row.files());
            for (String form : row.forms()) {
                for (String place : row.places()) {
                    List<Linter.UseIn> used = uses.stream()
                            .filter(use -> use.use().form().equals(form)
                                    && use.use().place().equals(place))
                            .toList();
                    used.forEach(use -> files.remove(name(use.file())));
                    if (used.isEmpty()) {
                        unused.add(form + " (" + place + ")");
                    }
                }
            }
            files.forEach(file -> unused.add(row.forms() + " in " + file));
        }
        return unused;
    }

    /** Rows that allow what another refuses. */
    Set<String> contradictions() {
        Set<String> both = new TreeSet<>();
        for (Row row : allowed) {
            for (String form : row.forms()) {
                for (String place : row.places()) {
                    if (refused.stream().anyMatch(other -> other.refuses(form, place))) {
                        both.add(form + " (" + place + ")");
                    }
                }
            }
        }
        return both;
    }

    private static String name(String file) {
        return file.replaceFirst("\\.sql$", "");
    }

    private static Set<String> code(String cell) {
        Set<String> code = new TreeSet<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            code.add(matcher.group(1));
        }
        return code;
    }

    private static Set<String> hints(String form) {
        return form.startsWith("WITH (")
                ? Set.of(form.substring("WITH (".length(), form.length() - 1).split(", "))
                : Set.of(form);
    }
}
