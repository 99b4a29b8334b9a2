package org.readpast.jms.store.jdbc.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A statement from a file: comments taken out, parameters by name replaced by question marks.
 *
 * @param name the file's name without its ending
 * @param text what is prepared
 * @param positions where each parameter stands among the question marks, counted from 1
 * @param pieces the text between its parameters, one more than there are question marks
 */
public record SqlScript(String name, String text, Map<String, List<Integer>> positions, List<String> pieces) {

    /** Reads a statement. Strings, quoted identifiers and comments may hold colons; {@code ::} is not a parameter. */
    static SqlScript parse(String name, String source) {
        StringBuilder piece = new StringBuilder(source.length());
        List<String> pieces = new ArrayList<>();
        Map<String, List<Integer>> positions = new HashMap<>();
        int at = 0;
        while (at < source.length()) {
            char c = source.charAt(at);
            if (source.startsWith("--", at)) {
                at = endOfLine(source, at);
            } else if (c == '\'' || c == '"') {
                int end = source.indexOf(c, at + 1);
                piece.append(source, at, end + 1);
                at = end + 1;
            } else if (c == ':' && source.startsWith("::", at)) {
                piece.append("::");
                at += 2;
            } else if (c == ':' && at + 1 < source.length() && Character.isJavaIdentifierStart(source.charAt(at + 1))) {
                int end = endOfName(source, at + 1);
                positions
                        .computeIfAbsent(source.substring(at + 1, end), key -> new ArrayList<>(1))
                        .add(pieces.size() + 1);
                pieces.add(piece.toString());
                piece.setLength(0);
                at = end;
            } else {
                piece.append(c);
                at++;
            }
        }
        pieces.add(piece.toString());
        return new SqlScript(
                name, String.join("?", pieces).strip(), Collections.unmodifiableMap(positions), List.copyOf(pieces));
    }

    /** The names of its parameters. */
    public Set<String> parameters() {
        return positions.keySet();
    }

    private static int endOfLine(String source, int from) {
        int end = source.indexOf('\n', from);
        return end < 0 ? source.length() : end;
    }

    private static int endOfName(String source, int from) {
        int end = from;
        while (end < source.length() && Character.isJavaIdentifierPart(source.charAt(end))) {
            end++;
        }
        return end;
    }
}
