package org.readpast.jms.engine.bell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;
import java.util.UUID;
import javax.crypto.Mac;
import org.junit.jupiter.api.Test;

/** What is a datagram of ours, and what is not. */
class DatagramTest {

    private static final UUID SENDER = UUID.randomUUID();

    private final Random random = new Random();
    private final Mac mac = Datagram.mac(secret());

    private String secret() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private ByteBuffer ring(Mac signing) {
        return Datagram.signed(
                Datagram.Kind.RING,
                SENDER,
                7,
                ByteBuffer.allocate(8).putInt(11).putInt(13).flip(),
                signing);
    }

    @Test
    void what_was_signed_is_read_as_it_was_written() {
        Datagram read = Datagram.read(ring(mac), mac, SENDER::equals);

        assertThat(read.signed()).isTrue();
        assertThat(read.kind()).isEqualTo(Datagram.Kind.RING);
        assertThat(read.sender()).isEqualTo(SENDER);
        assertThat(read.counter()).isEqualTo(7);
        assertThat(read.body().getInt()).isEqualTo(11);
        assertThat(read.body().getInt()).isEqualTo(13);
    }

    @Test
    void datagram_under_another_secret_is_not_signed() {
        assertThat(Datagram.read(ring(Datagram.mac(secret())), mac, SENDER::equals)
                        .signed())
                .isFalse();
    }

    @Test
    void nothing_is_computed_for_who_is_unknown() {
        assertThat(Datagram.read(ring(mac), mac, unknown -> false).signed()).isFalse();
    }

    @Test
    void each_changed_bit_and_each_missing_byte_is_noticed() {
        ByteBuffer good = ring(mac);
        for (int bit = 0; bit < good.remaining() * 8; bit++) {
            byte[] changed = bytes(good);
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(isSigned(changed)).as("bit %s", bit).isFalse();
        }
        for (int length = 0; length < good.remaining(); length++) {
            byte[] cut = java.util.Arrays.copyOf(bytes(good), length);
            assertThat(isSigned(cut)).as("%s bytes", length).isFalse();
        }
        assertThat(isSigned(bytes(good))).isTrue();
    }

    @Test
    void anything_else_is_nothing() {
        for (int i = 0; i < 100_000; i++) {
            byte[] noise = new byte[random.nextInt(Datagram.LONGEST + 2)];
            random.nextBytes(noise);
            assertThat(isSigned(noise)).isFalse();
        }
    }

    private boolean isSigned(byte[] bytes) {
        Datagram read = Datagram.read(ByteBuffer.wrap(bytes), mac, any -> true);
        return read != null && read.signed();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
