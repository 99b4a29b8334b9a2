package org.readpast.jms.engine.support;

import java.util.regex.Pattern;

/**
 * SQL that changes how a connection behaves for as long as it lives: SET, USE and their like. What only looks so costs a connection,
 * what is missed stays on one.
 */
final class SettingText {

    /** At the beginning of a statement; variables of T-SQL are set likewise, and end with it. */
    private static final Pattern BEGINNING = Pattern.compile(
            "(?is)(?:^|;)(?:\\s|/\\*.*?\\*/|--[^\\n]*\\n)*+(?:SET(?!\\s*@)|RESET|USE|DISCARD|EXEC(?:UTE)?\\s+AS)\\b");

    /** Anywhere, as T-SQL needs nothing between two statements: an UPDATE has an equals sign behind its column. */
    private static final Pattern WITHIN = Pattern.compile("(?i)\\bSET\\s+\\w+\\s+(?![-+*/%&^|]?=)\\S"
            + "|\\bUSE\\s+(?:\\w+|\\[[^\\]]+\\])\\s*(?:[;\\r\\n]|$)"
            + "|\\bEXEC(?:UTE)?\\s+AS\\s"
            + "|\\bset_config\\s*\\(");

    private SettingText() {}

    static boolean changes(String sql) {
        return BEGINNING.matcher(sql).find() || WITHIN.matcher(sql).find();
    }
}
