package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.resource.ResourceException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.ra.Logged;

/** A bean, its server or its JVM fails as nobody reckons with. No message is lost, and the next one is delivered. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailingBeanTest {

    private static final String URL = "readpast:jdbc:h2:mem:failing;DB_CLOSE_DELAY=-1#user=sa";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private BeanServer server;
    private ReadpastConnectionFactory outside;

    @BeforeEach
    void start() throws ResourceException {
        server = new BeanServer(URL, 0);
        outside = new ReadpastConnectionFactory(URL);
    }

    @AfterEach
    void stop() throws JMSException {
        server.close();
        outside.close();
    }

    private void send(String queue, String text) {
        try (JMSContext context = outside.createContext()) {
            context.createProducer().send(context.createQueue(queue), text);
        }
    }

    private String note(Message message) {
        try {
            String text = message.getBody(String.class);
            seen.add(text);
            return text;
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of which nothing can be told. */
    private static final class Untold extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalArgumentException("no text of this key");
        }
    }

    @Test
    void message_comes_again_whose_failure_cannot_be_told() throws Exception {
        server.bean = message -> {
            note(message);
            if (seen.size() == 1) {
                throw new Untold();
            }
        };
        server.deploy("untold", 1);
        send("untold", "coffee");
        await().atMost(PATIENCE).until(() -> !seen.isEmpty());
        send("untold", "tea");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(seen).containsExactlyInAnyOrder("coffee", "coffee", "tea"));
    }

    @Test
    void interrupt_that_a_bean_leaves_behind_is_not_its_end() throws Exception {
        server.bean = message -> {
            if (note(message).equals("coffee")) {
                Thread.currentThread().interrupt();
            }
        };
        server.deploy("interrupted", 1);
        send("interrupted", "coffee");
        await().atMost(PATIENCE).until(() -> seen.contains("coffee"));
        send("interrupted", "tea");
        await().atMost(PATIENCE).until(() -> seen.contains("tea"));
        assertThat(seen).containsExactly("coffee", "tea");
    }

    /** As a task does it that the bean has cancelled, and that is late. */
    @Test
    void interrupt_that_comes_later_is_not_its_end_either() throws Exception {
        server.bean = this::note;
        server.deploy("late", 1);
        send("late", "coffee");
        await().atMost(PATIENCE).until(() -> seen.contains("coffee"));
        waiting().interrupt();
        send("late", "tea");
        await().atMost(PATIENCE).until(() -> seen.contains("tea"));
        assertThat(seen).containsExactly("coffee", "tea");
    }

    /** As when the server ends. */
    @Test
    void interrupt_is_its_end_where_the_server_gives_no_other_thread() throws Exception {
        server.bean = this::note;
        server.deploy("ended", 1);
        send("ended", "coffee");
        await().atMost(PATIENCE).until(() -> seen.contains("coffee"));
        Thread waiting = waiting();
        server.hasThreads = false;
        try (Logged log = new Logged(Workers.class)) {
            interruptUntilItEnds(waiting);
            assertThat(log.lines()).singleElement().asString().contains("has interrupted its thread");
        }
        try (Connection looking = DriverManager.getConnection("jdbc:h2:mem:failing", "sa", "");
                Statement statement = looking.createStatement()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(sessions(statement)).as("but this one").isOne());
        }
    }

    private static int sessions(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** As where beans of others have all its threads. */
    @Test
    void interrupt_is_not_its_end_where_another_of_its_threads_is_at_work() throws Exception {
        CountDownLatch drunk = new CountDownLatch(1);
        server.bean = message -> {
            if (note(message).equals("coffee")) {
                awaitDone(drunk);
            }
        };
        server.deploy("left", 2);
        send("left", "coffee");
        await().atMost(PATIENCE).until(() -> seen.contains("coffee"));
        Thread waiting = waiting();
        server.hasThreads = false;
        interruptUntilItEnds(waiting);
        drunk.countDown();
        send("left", "tea");
        await().atMost(PATIENCE).until(() -> seen.contains("tea"));
        assertThat(seen).containsExactly("coffee", "tea");
    }

    /** As where beans of others have had all its threads for a while. */
    @Test
    void bean_delivers_side_by_side_again_though_it_was_refused_a_thread_once() throws Exception {
        CountDownLatch refused = new CountDownLatch(1);
        CountDownLatch together = new CountDownLatch(2);
        server.bean = message -> {
            if (note(message).equals("coffee")) {
                awaitDone(refused);
            } else {
                together.countDown();
                awaitDone(together);
            }
        };
        server.deploy("shared", 2);
        waiting();
        server.hasThreads = false;
        send("shared", "coffee");
        await().atMost(PATIENCE).until(() -> seen.contains("coffee"));
        send("shared", "tea");
        send("shared", "milk");
        server.hasThreads = true;
        refused.countDown();
        await().atMost(PATIENCE).until(() -> together.getCount() == 0);
    }

    private static void awaitDone(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An interrupt that meets it while it looks whether there is a message is put aside. */
    private static void interruptUntilItEnds(Thread thread) {
        await().atMost(PATIENCE).until(() -> {
            thread.interrupt();
            return !thread.isAlive();
        });
    }

    /** A bean's thread that waits for messages. */
    private static Thread waiting() {
        return await().atMost(PATIENCE)
                .until(
                        () -> Thread.getAllStackTraces().entrySet().stream()
                                .filter(thread -> thread.getKey().getName().equals("bean")
                                        && Stream.of(thread.getValue())
                                                .anyMatch(frame ->
                                                        frame.getMethodName().equals("awaitMessage")))
                                .map(Map.Entry::getKey)
                                .findAny(),
                        Optional::isPresent)
                .get();
    }

    @Test
    void bean_goes_on_after_an_error_of_its_server() throws Exception {
        server.bean = this::note;
        server.errors.add(new InternalError("no memory for a thread"));
        server.deploy("error", 1);
        send("error", "coffee");
        await().atMost(PATIENCE).until(() -> seen.contains("coffee"));
        assertThat(server.errors).isEmpty();
    }

    @Test
    void bean_that_gets_no_thread_leaves_nothing_behind() throws Exception {
        server.hasThreads = false;
        assertThatExceptionOfType(ResourceException.class)
                .isThrownBy(() -> server.deploy("refused", 1))
                .withMessageContaining("no thread left");
        Thread stopping = new Thread(server::close, "stopping");
        stopping.start();
        await().atMost(PATIENCE).until(() -> !stopping.isAlive() || waitsForBeans(stopping));
        assertThat(waitsForBeans(stopping)).isFalse();
        stopping.join();
    }

    private static boolean waitsForBeans(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Object.class.getName())
                        && frame.getMethodName().startsWith("wait"));
    }
}
