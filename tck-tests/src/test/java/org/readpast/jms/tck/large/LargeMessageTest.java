package org.readpast.jms.tck.large;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/** A BytesMessage of 64 MB goes through a heap of 512 MB, in the sender and in the receiver. */
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class LargeMessageTest {

    private static final int SIZE = 64 * 1024 * 1024;
    private static final List<String> HEAP = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    @Test
    void of_64_MB_goes_through_a_heap_of_512_MB_on_postgresql() {
        goesThrough(SharedPostgres.get().jdbcUrl(), Session.SESSION_TRANSACTED);
    }

    @Test
    void of_64_MB_goes_through_a_heap_of_512_MB_on_an_h2_file(@TempDir Path folder) {
        goesThrough("jdbc:h2:file:" + folder.resolve("large") + ";USER=sa;PASSWORD=sa", Session.AUTO_ACKNOWLEDGE);
    }

    private static void goesThrough(String jdbcUrl, int mode) {
        String url = TestDatabase.readpastUrlOf(jdbcUrl);
        String queue = "large." + UUID.randomUUID();
        String checksum;
        // One after the other: an H2 file is open in one process at a time, and so the message is stored in between.
        try (ChildJvm sender = ChildJvm.start(LargeSender.class, HEAP, url, queue, "" + mode, "" + SIZE)) {
            checksum = sender.awaitReport("sent");
            assertThat(sender.awaitEnd())
                    .as(() -> sender + " wrote " + sender.output())
                    .isZero();
        }
        try (ChildJvm receiver = ChildJvm.start(LargeReceiver.class, HEAP, url, queue, "" + mode)) {
            assertThat(receiver.awaitReport("received")).isEqualTo(SIZE + " " + checksum);
            assertThat(receiver.awaitEnd())
                    .as(() -> receiver + " wrote " + receiver.output())
                    .isZero();
        }
    }
}
