package org.readpast.jms.selector;

import java.util.Locale;
import org.readpast.jms.selector.Token.Kind;

/** Cuts a selector into tokens, from left to right. For one thread. */
final class Lexer {

    private final String selector;
    private int at;

    Lexer(String selector) {
        this.selector = selector;
    }

    /** The next token; at the end, and ever after, {@link Kind#END}. */
    Token next() throws SelectorSyntaxException {
        skipWhitespace();
        if (at == selector.length()) {
            return new Token(Kind.END, "", at);
        }
        char first = selector.charAt(at);
        if (first == '\'') {
            return string();
        }
        if (isDigit(first) || (first == '.' && isDigit(peek(1)))) {
            return number();
        }
        if (Character.isJavaIdentifierStart(selector.codePointAt(at))) {
            return word();
        }
        return sign(first);
    }

    /** Whitespace is Java's: space, tab, form feed and line terminator (§3.8.1.1). */
    private void skipWhitespace() {
        while (at < selector.length() && " \t\f\r\n".indexOf(selector.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek(int ahead) {
        return at + ahead < selector.length() ? selector.charAt(at + ahead) : '\0';
    }

    private Token string() throws SelectorSyntaxException {
        int start = at;
        StringBuilder text = new StringBuilder();
        int from = start + 1;
        while (true) {
            int quote = selector.indexOf('\'', from);
            if (quote < 0) {
                throw new SelectorSyntaxException("The string literal that starts here has no end", selector, start);
            }
            text.append(selector, from, quote);
            at = quote + 1;
            if (peek(0) != '\'') {
                return new Token(Kind.STRING, text.toString(), start);
            }
            text.append('\'');
            from = quote + 2;
        }
    }

    /** All that could belong to a number; {@link NumericLiteral} says whether it is one. */
    private Token number() {
        int start = at;
        boolean hexadecimal = selector.charAt(at) == '0' && Character.toLowerCase(peek(1)) == 'x';
        char exponent = hexadecimal ? 'p' : 'e';
        while (at < selector.length()) {
            char c = selector.charAt(at);
            boolean signOfExponent =
                    (c == '+' || c == '-') && Character.toLowerCase(selector.charAt(at - 1)) == exponent;
            if (!signOfExponent && !isDigit(c) && !isLetter(c) && c != '.' && c != '_') {
                break;
            }
            at++;
        }
        return new Token(Kind.NUMBER, selector.substring(start, at), start);
    }

    private Token word() {
        int start = at;
        while (at < selector.length() && Character.isJavaIdentifierPart(selector.codePointAt(at))) {
            at += Character.charCount(selector.codePointAt(at));
        }
        String text = selector.substring(start, at);
        return new Token(keywordOrIdentifier(text), text, start);
    }

    /** Only ASCII letters ignore case: a dotless i must not make a keyword. */
    private static Kind keywordOrIdentifier(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isLetter(text.charAt(i))) {
                return Kind.IDENTIFIER;
            }
        }
        return Token.KEYWORDS.getOrDefault(text.toUpperCase(Locale.ROOT), Kind.IDENTIFIER);
    }

    private Token sign(char first) throws SelectorSyntaxException {
        return switch (first) {
            case '(' -> sign(Kind.OPENING, 1);
            case ')' -> sign(Kind.CLOSING, 1);
            case ',' -> sign(Kind.COMMA, 1);
            case '+' -> sign(Kind.PLUS, 1);
            case '-' -> sign(Kind.MINUS, 1);
            case '*' -> sign(Kind.TIMES, 1);
            case '/' -> sign(Kind.DIVIDED, 1);
            case '=' -> sign(Kind.EQUAL, 1);
            case '<' ->
                peek(1) == '='
                        ? sign(Kind.LESS_OR_EQUAL, 2)
                        : peek(1) == '>' ? sign(Kind.NOT_EQUAL, 2) : sign(Kind.LESS, 1);
            case '>' -> peek(1) == '=' ? sign(Kind.GREATER_OR_EQUAL, 2) : sign(Kind.GREATER, 1);
            case '!' ->
                throw new SelectorSyntaxException("No operator starts with '!' (not equal is <>)", selector, at);
            case '"' -> throw new SelectorSyntaxException("Strings stand in single quotes", selector, at);
            default ->
                throw new SelectorSyntaxException(
                        String.format("Character U+%04X is not part of the syntax", selector.codePointAt(at)),
                        selector,
                        at);
        };
    }

    private Token sign(Kind kind, int length) {
        int start = at;
        at += length;
        return new Token(kind, selector.substring(start, at), start);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
