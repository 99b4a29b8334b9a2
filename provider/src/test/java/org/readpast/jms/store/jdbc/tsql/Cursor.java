package org.readpast.jms.store.jdbc.tsql;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.readpast.jms.store.jdbc.tsql.Token.Kind;

/** Goes through the tokens of a script, and notes in it the forms that are met. */
final class Cursor {

    private final List<Token> tokens;
    private final Script script;
    private int at;

    Cursor(List<Token> tokens, Script script) {
        this.tokens = tokens;
        this.script = script;
    }

    Token peek() {
        return tokens.get(at);
    }

    Token next() {
        Token token = tokens.get(at);
        at = Math.min(at + 1, tokens.size() - 1);
        return token;
    }

    int at() {
        return at;
    }

    /** What was read since then, with one blank between words. */
    String textSince(int from) {
        String text = tokens.subList(from, at).stream().map(Token::text).collect(Collectors.joining(" "));
        return text.replace("( ", "(").replace(" )", ")").replace("- ", "-");
    }

    int line() {
        return peek().line();
    }

    /** Back to the word that was read last. */
    void back() {
        at--;
    }

    /** Whether these words are what comes next. */
    boolean sees(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (at + i >= tokens.size() || !tokens.get(at + i).is(words[i])) {
                return false;
            }
        }
        return true;
    }

    boolean sees(Kind kind) {
        return peek().kind() == kind;
    }

    /** Goes behind these words, if they are what comes next. */
    boolean takes(String... words) {
        if (!sees(words)) {
            return false;
        }
        at += words.length;
        return true;
    }

    void expect(String... words) {
        if (!takes(words)) {
            throw notUnderstood();
        }
    }

    Token expect(Kind kind) {
        if (!sees(kind)) {
            throw notUnderstood();
        }
        return next();
    }

    /** The next of these words, or null. */
    String oneOf(String... words) {
        for (String word : words) {
            if (takes(word)) {
                return word;
            }
        }
        return null;
    }

    boolean seesName() {
        return sees(Kind.QUOTED) || (sees(Kind.WORD) && !Words.RESERVED.contains(upper(peek())));
    }

    String name() {
        if (!seesName()) {
            throw notUnderstood();
        }
        return next().text();
    }

    static String upper(Token token) {
        return token.text().toUpperCase(Locale.ROOT);
    }

    void uses(String form, String place) {
        uses(form, place, line());
    }

    void uses(String form, String place, int line) {
        script.uses.add(new Script.Use(form, place, line));
    }

    Token.NotUnderstood notUnderstood() {
        return new Token.NotUnderstood(line(), peek().text());
    }
}
