package org.readpast.jms.codec;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Named values, properties or the body of a map message, as one flat JSON object that SQL's own JSON functions can read. Every
 * value is written as SQL would want to see it. Where that leaves its Java type open, the type is noted in a last member, as in
 * <pre>{@code {"customer":"Ada","total":19.9,"order":4711000000000,"@types":{"order":"long"}}}</pre>
 * A property cannot be named {@code @types}, which is no Java identifier; in the name of a map entry a leading {@code @} is
 * doubled. Without a note a whole number is an int, or a long where it is too large for that, and any other number a double; an
 * object or array that some program put there is read as its JSON text.
 */
public final class PropertiesJson {

    private static final String TYPES = "@types";
    private static final String GROUP_ID = "JMSXGroupID";

    private PropertiesJson() {}

    /**
     * The JSON text, which any Unicode encoding can hold.
     *
     * @param values Strings, boxed primitives, byte arrays and nulls
     * @return null where there are no values
     * @throws IllegalArgumentException if a value is of another class
     */
    public static String write(Map<String, Object> values) {
        if (values.isEmpty()) {
            return null;
        }
        StringBuilder out = new StringBuilder(32 * values.size());
        StringBuilder types = new StringBuilder();
        for (Map.Entry<String, Object> value : values.entrySet()) {
            String name = escape(value.getKey());
            out.append(out.length() == 0 ? '{' : ',');
            JsonValues.appendString(out, name);
            out.append(':');
            JsonValues.append(out, value.getValue());
            String type = JsonValues.type(value.getValue());
            if (type != null) {
                types.append(types.length() == 0 ? '{' : ',');
                JsonValues.appendString(types, name);
                types.append(":\"").append(type).append('"');
            }
        }
        if (types.length() > 0) {
            out.append(",\"" + TYPES + "\":").append(types).append('}');
        }
        return out.append('}').toString();
    }

    /**
     * The values in the order of the text, in a map of the caller's own.
     *
     * @param json what {@link #write} returned or any other JSON object; null and blank text stand for no values
     * @throws MalformedJsonException if it is not a JSON object
     */
    public static Map<String, Object> read(String json) {
        if (json == null || json.isBlank()) {
            return new LinkedHashMap<>();
        }
        Map<String, Object> members = JsonReader.object(json);
        Map<String, Object> types = types(members);
        Map<String, Object> values = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            String type = types.get(name) instanceof String noted ? noted : null;
            values.put(unescape(name), JsonValues.restore(value, type));
        });
        return values;
    }

    /**
     * The length of properties that have not come with their row, which stands in their place as a JSON number.
     *
     * @return -1 where that is none
     */
    public static int lengthIn(String json) {
        if (json == null || json.isEmpty() || json.length() > 10 || json.chars().anyMatch(c -> c < '0' || c > '9')) {
            return -1;
        }
        return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(json));
    }

    /**
     * Whether {@link #read} will succeed.
     *
     * @throws MalformedJsonException if it is not a JSON object
     */
    public static void check(String json) {
        if (json != null && !json.isBlank()) {
            JsonReader.object(json);
        }
    }

    /**
     * All properties of a message: those in its JSON, and JMSXGroupID, of which the column is the authority.
     *
     * @throws MalformedJsonException if its properties are not a JSON object
     */
    public static Map<String, Object> of(EncodedMessage message) {
        return read(message.properties(), message.groupId());
    }

    /** All properties of a message whose {@link EncodedMessage#properties} and {@link EncodedMessage#groupId} these are. */
    public static Map<String, Object> read(String json, String groupId) {
        Map<String, Object> values = read(json);
        if (groupId != null) {
            values.put(GROUP_ID, groupId);
        }
        return values;
    }

    /** Takes the notes out of the members. */
    private static Map<String, Object> types(Map<String, Object> members) {
        if (members.get(TYPES) instanceof JsonReader.Nested nested
                && nested.text().startsWith("{")) {
            members.remove(TYPES);
            return JsonReader.object(nested.text());
        }
        return Map.of();
    }

    private static String escape(String name) {
        return name.startsWith("@") ? "@" + name : name;
    }

    private static String unescape(String name) {
        return name.startsWith("@@") ? name.substring(1) : name;
    }
}
