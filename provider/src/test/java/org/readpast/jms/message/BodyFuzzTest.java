package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;

/**
 * Whatever stands in the columns of a message, its receiver gets values or a JMSException, or the NumberFormatException of a
 * conversion (§3.5.4), never anything else. A run for hours: {@code -Dreadpast.test.fuzz.rounds=100000000}, and another
 * {@code -Dreadpast.test.seed}.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("lengthened")
class BodyFuzzTest {

    private static final long ROUNDS = Long.getLong("readpast.test.fuzz.rounds", 5_000);

    /** What once was more than an exception of its message. */
    private static final List<String> FOUND = List.of(
            "{\"a\":" + "[".repeat(600) + "]".repeat(600) + "}",
            "[".repeat(100_000),
            "{\"a\":".repeat(100_000),
            "{\"@types\":{\"a\":\"bytes\"},\"a\":\"*\"}",
            "{\"@types\":{\"a\":\"char\"},\"a\":\"\"}",
            "{\"@types\":{\"a\":\"byte\"},\"a\":1e999999999}",
            "[{\"long\":1e400},{\"bytes\":\"=\"},{\"float\":\"0x\"},{\"char\":[]}]",
            "[1e999999999,-0,0.0000000000000000000000000000000000001]",
            "null",
            "\0",
            "{\"\":\"\"}",
            "{\"JMSXGroupID\":{}}");

    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\"a\"",
            "\"@types\"",
            "\"long\"",
            "\"bytes\"",
            "\"char\"",
            "1",
            "-",
            "1e9",
            ".5",
            "true",
            "null",
            "\\u00",
            "\\",
            " ",
            "\n",
            "\0",
            "\uD83D",
            "=",
            "\u00e4");

    private final Random random = new Random(Long.getLong("readpast.test.seed", 20_261_123));

    @Test
    void any_text_is_values_or_a_jms_exception() {
        for (String found : FOUND) {
            readEach(found);
        }
        for (long round = 0; round < ROUNDS; round++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "{\"a\":" : "[");
            for (int i = random.nextInt(20); i > 0; i--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            readEach(text.toString());
        }
    }

    private void readEach(String text) {
        for (BodyKind kind : BodyKind.values()) {
            read(kind, new Body.Text(text), null);
        }
        read(BodyKind.MESSAGE, Body.EMPTY, text);
    }

    @Test
    void any_bytes_are_an_object_or_a_jms_exception() throws IOException {
        int objects = 0;
        List<byte[]> seeds = new ArrayList<>();
        for (Object object : new Object[] {
            new ArrayList<>(List.of("a", 1, 2L, new BigDecimal("1.5"), LocalDate.EPOCH)),
            new HashMap<>(Map.of("k", new int[] {1, 2}, "l", List.of("x"))),
            new LinkedHashSet<>(List.of(Collections.nCopies(3, "a"), new ArrayList<>())),
            new TreeMap<>(Map.of("a", new Object[] {null, "b"})),
            "text"
        }) {
            seeds.add(serialized(object));
        }
        for (long round = 0; round < ROUNDS; round++) {
            byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            byte[] cut = random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
            objects += read(BodyKind.OBJECT, new Body.Binary(cut), null) ? 1 : 0;
            read(BodyKind.BYTES, new Body.Binary(cut), null);
            read(BodyKind.TEXT, new Body.Binary(cut), null);
        }
        assertThat(objects).as("objects that were read all the same").isPositive();
    }

    private static byte[] serialized(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static List<?> names(Enumeration<?> names) {
        return Collections.list(names);
    }

    /** Reads all there is to read, in ways that need not fit. */
    private static boolean read(BodyKind kind, Body body, String properties) {
        EncodedMessage encoded =
                new EncodedMessage("ID:1", "queue://a", null, null, null, 2, 4, 1, 0, 1, null, properties, kind, body);
        try {
            Message message = MessageDecoder.decode(encoded, 1, 1, ObjectTrust.VALUES, null);
            for (Object name : names(message.getPropertyNames())) {
                String property = (String) name;
                message.getObjectProperty(property);
                message.getStringProperty(property);
                message.getLongProperty(property);
            }
            if (message instanceof MapMessage map) {
                for (Object name : names(map.getMapNames())) {
                    map.getObject((String) name);
                    map.getLong((String) name);
                }
            } else if (message instanceof StreamMessage stream) {
                while (true) {
                    stream.readObject();
                }
            } else if (message instanceof BytesMessage bytes) {
                bytes.readUTF();
                bytes.readLong();
            } else if (message instanceof ObjectMessage object) {
                object.getObject();
            } else {
                message.getBody(Serializable.class);
            }
            return true;
        } catch (JMSException | NumberFormatException e) {
            return false;
        }
    }
}
