package org.readpast.jms.strict;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A token of T-SQL. A string and a quoted name are without their quotes. */
record Token(Kind kind, String text) {

    enum Kind {
        WORD,
        QUOTED,
        VARIABLE,
        NUMBER,
        STRING,
        MARK
    }

    /** In the order of {@link Kind}; comments and blanks have no group and are passed by. Possessive, since strings may be long. */
    private static final Pattern TOKEN = Pattern.compile(
            "--[^\\n]*|/\\*.*?\\*/|\\s+"
                    + "|((?!(?i:N)')[\\p{L}_#][\\p{L}\\p{N}_#$@]*)"
                    + "|\\[([^\\]]*+(?:\\]\\][^\\]]*+)*+)\\]"
                    + "|(@[\\p{L}\\p{N}_#$@]+)"
                    + "|([0-9][0-9A-Za-z.]*)"
                    + "|(?i:N)?'([^']*+(?:''[^']*+)*+)'"
                    + "|\"([^\"]*+(?:\"\"[^\"]*+)*+)\""
                    + "|(.)",
            Pattern.DOTALL);

    /** Reads all of a text; what is not closed is read character by character. */
    static List<Token> of(String sql) {
        List<Token> tokens = new ArrayList<>();
        Matcher token = TOKEN.matcher(sql);
        while (token.find()) {
            if (token.group(1) != null) {
                tokens.add(new Token(Kind.WORD, token.group(1)));
            } else if (token.group(2) != null) {
                tokens.add(new Token(Kind.QUOTED, token.group(2).replace("]]", "]")));
            } else if (token.group(3) != null) {
                tokens.add(new Token(Kind.VARIABLE, token.group(3)));
            } else if (token.group(4) != null) {
                tokens.add(new Token(Kind.NUMBER, token.group(4)));
            } else if (token.group(5) != null) {
                tokens.add(new Token(Kind.STRING, token.group(5).replace("''", "'")));
            } else if (token.group(6) != null) {
                tokens.add(new Token(Kind.QUOTED, token.group(6).replace("\"\"", "\"")));
            } else if (token.group(7) != null) {
                tokens.add(new Token(Kind.MARK, token.group(7)));
            }
        }
        return tokens;
    }

    boolean is(String word) {
        return (kind == Kind.WORD || kind == Kind.MARK) && text.equalsIgnoreCase(word);
    }

    /** Whether it can be the name of a table. */
    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED || kind == Kind.VARIABLE;
    }
}
