package org.readpast.jms.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random values go through both JSON forms unharmed, and random damage is noticed or harmless, never anything else. */
@Tag("lengthened")
class JsonFuzzTest {

    private static final int ROUNDS = 5_000;

    private final Random random = new Random(20_261_121);

    @Test
    void any_values_come_back_as_they_were() {
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, Object> values = new LinkedHashMap<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                values.put(text(), value());
            }
            String json = PropertiesJson.write(values);
            assertThat(inUtf8(json)).isEqualTo(json);
            Map<String, Object> read = PropertiesJson.read(json);
            assertThat(read.keySet()).containsExactlyElementsOf(values.keySet());
            assertThat(new ArrayList<>(read.values()).toArray())
                    .isEqualTo(values.values().toArray());

            List<Object> list = new ArrayList<>(values.values());
            assertThat(StreamJson.read(StreamJson.write(list)).toArray()).isEqualTo(list.toArray());
        }
    }

    @Test
    void damaged_text_is_read_or_refused() {
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("a", value());
            values.put(text(), value());
            values.put("c", text());
            StringBuilder json = new StringBuilder(PropertiesJson.write(values));
            for (int i = random.nextInt(3); i >= 0; i--) {
                json.setCharAt(random.nextInt(json.length()), "{}[]\",:\\u0x1e-.@ \n".charAt(random.nextInt(18)));
            }
            try {
                PropertiesJson.read(json.toString());
            } catch (MalformedJsonException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(ROUNDS / 10, ROUNDS);
    }

    private static String inUtf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> text.append((char) random.nextInt(128));
                case 1 -> text.append("@\"\\{}types".charAt(random.nextInt(10)));
                case 2 -> text.append((char) random.nextInt(65_536));
                default -> text.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
            }
        }
        return text.toString();
    }

    private Object value() {
        byte[] bytes = new byte[random.nextInt(10)];
        random.nextBytes(bytes);
        return switch (random.nextInt(11)) {
            case 0 -> random.nextBoolean();
            case 1 -> (byte) random.nextInt();
            case 2 -> (short) random.nextInt();
            case 3 -> (char) random.nextInt();
            case 4 -> random.nextInt();
            case 5 -> random.nextLong() >> random.nextInt(64);
            case 6 -> Float.intBitsToFloat(random.nextInt());
            case 7 -> Double.longBitsToDouble(random.nextLong());
            case 8 -> text();
            case 9 -> bytes;
            default -> null;
        };
    }
}
