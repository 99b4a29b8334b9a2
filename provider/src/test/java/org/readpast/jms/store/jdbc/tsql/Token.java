package org.readpast.jms.store.jdbc.tsql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A word, name, text or sign of T-SQL, and its line. The JDBC statements' {@code :name} is a variable like {@code @name}; comments
 * and sqlcmd's own lines are left out.
 */
record Token(Kind kind, String text, int line) {

    enum Kind {
        WORD,
        QUOTED,
        STRING,
        NUMBER,
        VARIABLE,
        SIGN,
        END
    }

    private static final Pattern TOKENS = Pattern.compile("""
            (?<blank>\\s+|--[^\\n]*|/\\*.*?\\*/|(?<=\\n):(?:r|on|setvar)\\b[^\\n]*)
            |N?'(?<string>[^']*+(?:''[^']*+)*+)'
            |(?<word>[A-Za-z_\\#][\\w\\#$]*|%%\\w+%%)
            |\\[(?<bracketed>[^\\]]*)\\]|"(?<quoted>[^"]*)"
            |(?<number>\\d+(?:\\.\\d+)?|0x[0-9A-Fa-f]*)
            |(?<variable>@@?\\w+|:[A-Za-z_]\\w*)
            |(?<sign><>|<=|>=|!=|\\+=|-=|[-+*/%&|^~=<>(),.;])""", Pattern.COMMENTS | Pattern.DOTALL);

    static List<Token> of(String sql, int firstLine) {
        List<Token> tokens = new ArrayList<>();
        Matcher matcher = TOKENS.matcher("\n" + sql).useAnchoringBounds(true).useTransparentBounds(true);
        int line = firstLine - 1;
        int at = 0;
        while (at < sql.length() + 1) {
            matcher.region(at, sql.length() + 1);
            if (!matcher.lookingAt()) {
                throw new NotUnderstood(line, "the sign " + ("\n" + sql).charAt(at));
            }
            for (Kind kind : Kind.values()) {
                String text = text(matcher, kind);
                if (text != null) {
                    tokens.add(new Token(kind, text, line));
                }
            }
            line += (int) matcher.group().chars().filter(c -> c == '\n').count();
            at = matcher.end();
        }
        tokens.add(new Token(Kind.END, "the end", line));
        return tokens;
    }

    private static String text(Matcher matcher, Kind kind) {
        return switch (kind) {
            case WORD -> matcher.group("word");
            case QUOTED -> matcher.group("bracketed") != null ? matcher.group("bracketed") : matcher.group("quoted");
            case STRING ->
                matcher.group("string") == null ? null : matcher.group("string").replace("''", "'");
            case NUMBER -> matcher.group("number");
            case VARIABLE -> matcher.group("variable");
            case SIGN -> matcher.group("sign");
            case END -> null;
        };
    }

    boolean is(String word) {
        return (kind == Kind.WORD || kind == Kind.SIGN) && text.equalsIgnoreCase(word);
    }

    /** What the reader of T-SQL does not know, and so holds to be no form that is used here. */
    static final class NotUnderstood extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int line;

        NotUnderstood(int line, String what) {
            super(what);
            this.line = line;
        }

        int line() {
            return line;
        }
    }
}
