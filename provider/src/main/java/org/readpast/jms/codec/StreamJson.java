package org.readpast.jms.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The body of a stream message as a JSON array. A value whose Java type JSON leaves open is an object of one member named after
 * the type, as in {@code ["Ada",19.9,{"long":5},null]}. What else a program may put there is read as {@link PropertiesJson} reads
 * it.
 */
public final class StreamJson {

    private StreamJson() {}

    /**
     * The JSON text, which any Unicode encoding can hold.
     *
     * @param values Strings, boxed primitives, byte arrays and nulls
     * @return null where there are no values
     * @throws IllegalArgumentException if a value is of another class
     */
    public static String write(List<Object> values) {
        if (values.isEmpty()) {
            return null;
        }
        StringBuilder out = new StringBuilder(16 * values.size());
        for (Object value : values) {
            out.append(out.length() == 0 ? '[' : ',');
            String type = JsonValues.type(value);
            if (type != null) {
                out.append("{\"").append(type).append("\":");
            }
            JsonValues.append(out, value);
            if (type != null) {
                out.append('}');
            }
        }
        return out.append(']').toString();
    }

    /**
     * The values, in a list of the caller's own.
     *
     * @param json what {@link #write} returned or any other JSON array; null and blank text stand for no values
     * @throws MalformedJsonException if it is not a JSON array
     */
    public static List<Object> read(String json) {
        List<Object> values = new ArrayList<>();
        if (json != null && !json.isBlank()) {
            for (Object element : JsonReader.array(json)) {
                values.add(restore(element));
            }
        }
        return values;
    }

    private static Object restore(Object element) {
        if (element instanceof JsonReader.Nested nested && nested.text().startsWith("{")) {
            Map<String, Object> members = JsonReader.object(nested.text());
            if (members.size() == 1) {
                Map.Entry<String, Object> only = members.entrySet().iterator().next();
                Object value = JsonValues.restore(only.getValue(), only.getKey());
                if (JsonValues.isOf(only.getKey(), value)) {
                    return value;
                }
            }
        }
        return JsonValues.restore(element, null);
    }
}
