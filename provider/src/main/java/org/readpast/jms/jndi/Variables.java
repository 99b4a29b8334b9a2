package org.readpast.jms.jndi;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.naming.ConfigurationException;

/**
 * Fills in variables, {@code ${name}} or {@code ${name:-default}}, from system properties, environment variables and the other
 * entries of the same configuration, in this order. A default may have variables in it. Two dollar signs before a brace stand for
 * one dollar sign and the brace themselves.
 */
final class Variables {

    private static final Pattern SECRET = Pattern.compile("(?i)passw|passphrase|pwd|secret|token|credential");
    private static final Pattern ENDS_IN_SECRET =
            Pattern.compile("(?is)(passw|passphrase|pwd|secret|token|key)[a-z]*\\s*=[^;&]*$|//[^/@]*:[^/]*$");

    private final UnaryOperator<String> outside;
    private final Map<String, String> entries;

    /** @param entries the configuration itself, not yet filled in */
    Variables(Map<String, String> entries) {
        this(Variables::fromProcess, entries);
    }

    Variables(UnaryOperator<String> outside, Map<String, String> entries) {
        this.outside = outside;
        this.entries = entries;
    }

    private static String fromProcess(String name) {
        // There is no system property without a name, and who asks for it gets an exception.
        String property = name.isEmpty() ? null : System.getProperty(name);
        return property != null ? property : System.getenv(name);
    }

    /**
     * @param key the entry whose value it is, for errors
     * @throws ConfigurationException if a variable without default is set nowhere, or refers to itself
     */
    String fill(String key, String value) throws ConfigurationException {
        return fill(value, key, new LinkedHashSet<>(Set.of(key)));
    }

    private String fill(String text, String key, Set<String> inProgress) throws ConfigurationException {
        StringBuilder filled = new StringBuilder();
        int from = 0;
        for (int at = text.indexOf("${"); at >= 0; at = text.indexOf("${", from)) {
            if (at > from && text.charAt(at - 1) == '$') {
                filled.append(text, from, at - 1).append("${");
                from = at + 2;
                continue;
            }
            int end = closing(text, at + 2, key);
            filled.append(text, from, at).append(variable(text, at, end, key, inProgress));
            from = end + 1;
        }
        return filled.append(text, from, text.length()).toString();
    }

    private String variable(String text, int at, int end, String key, Set<String> inProgress)
            throws ConfigurationException {
        String expression = text.substring(at + 2, end);
        int mark = expression.indexOf(":-");
        String name = mark < 0 ? expression : expression.substring(0, mark);
        String found = outside.apply(name);
        if (found != null) {
            return found;
        }
        if (entries.containsKey(name)) {
            if (!inProgress.add(name)) {
                throw new ConfigurationException("'" + key + "': a variable refers to itself");
            }
            String value = fill(entries.get(name), key, inProgress);
            inProgress.remove(name);
            return value;
        }
        if (mark < 0) {
            String shown = mayBeSecret(key, text.substring(0, at)) ? "a variable" : "the variable '" + name + "'";
            throw new ConfigurationException("'" + key + "': " + shown
                    + " is set neither as system property nor in the environment nor in the configuration; set it, or write ${"
                    + (shown.equals("a variable") ? "NAME" : name) + ":-default}");
        }
        return fill(expression.substring(mark + 2), key, inProgress);
    }

    /** A password may have the signs of a variable in it, and what is between them is a part of it then. */
    private static boolean mayBeSecret(String key, String before) {
        return SECRET.matcher(key).find() || ENDS_IN_SECRET.matcher(before).find();
    }

    private static int closing(String text, int from, String key) throws ConfigurationException {
        int open = 1;
        for (int i = from; i < text.length(); i++) {
            if (text.startsWith("${", i)) {
                open++;
            } else if (text.charAt(i) == '}' && --open == 0) {
                return i;
            }
        }
        throw new ConfigurationException(
                "'" + key + "': a '${' has no closing brace; write $${ for the characters themselves");
    }
}
