package org.readpast.jms.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CorrelationIdTest {

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void bytes_that_are_text_are_that_text() {
        assertThat(CorrelationId.ofBytes(utf8("order-é😀"))).isEqualTo("order-é😀");
        assertThat(CorrelationId.ofBytes(new byte[0])).isEmpty();
        assertThat(CorrelationId.ofBytes(null)).isNull();
    }

    @Test
    void other_bytes_are_hexadecimal() {
        assertThat(CorrelationId.ofBytes(new byte[] {(byte) 0xff, 0x01})).isEqualTo("hex:ff01");
        assertThat(CorrelationId.ofBytes(new byte[] {'a', 0})).isEqualTo("hex:6100");
        assertThat(CorrelationId.ofBytes(utf8("hex:"))).isEqualTo("hex:6865783a");
        assertThat(CorrelationId.ofBytes(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}))
                .as("the UTF-8 half of a surrogate pair")
                .isEqualTo("hex:eda080");
    }

    @Test
    void any_text_has_bytes() {
        assertThat(CorrelationId.toBytes("hex:FF01")).containsExactly(0xff, 0x01);
        assertThat(CorrelationId.toBytes("hex:")).isEmpty();
        assertThat(CorrelationId.toBytes("hex:123")).isEqualTo(utf8("hex:123"));
        assertThat(CorrelationId.toBytes("hex:zz")).isEqualTo(utf8("hex:zz"));
        assertThat(CorrelationId.toBytes("ID:1")).isEqualTo(utf8("ID:1"));
        assertThat(CorrelationId.toBytes(null)).isNull();
    }

    @Test
    void any_bytes_come_back_exactly() {
        Random random = new Random(7);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = new byte[random.nextInt(12)];
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) "hex:0aF".charAt((bytes[i] & 127) % 7);
                }
            }
            assertThat(CorrelationId.toBytes(CorrelationId.ofBytes(bytes))).isEqualTo(bytes);
        }
    }
}
