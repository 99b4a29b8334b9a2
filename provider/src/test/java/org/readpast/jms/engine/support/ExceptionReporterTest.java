package org.readpast.jms.engine.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.threads.NoThreads;

/** §6.1.7: an exception listener is called once for each problem, and never twice at the same time. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ExceptionReporterTest {

    private final ExceptionReporter reporter = new ExceptionReporter("exceptions-test");

    @AfterEach
    void close() {
        reporter.close();
    }

    @Test
    void problems_are_told_one_after_the_other_in_their_order() {
        List<String> told = new CopyOnWriteArrayList<>();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        reporter.setListener(problem -> {
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            told.add(problem.getMessage());
            inside.decrementAndGet();
        });
        List<String> problems =
                IntStream.range(0, 500).mapToObj(String::valueOf).toList();
        problems.forEach(problem ->
                assertThat(reporter.report(new JMSException(problem))).isTrue());
        await().until(() -> told.size() == problems.size());
        assertThat(told).isEqualTo(problems);
        assertThat(overlaps).hasValue(0);
    }

    @Test
    void problem_that_comes_as_it_is_closed_is_told_or_not_and_harms_nobody() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            ExceptionReporter closing = new ExceptionReporter("exceptions-closing");
            closing.setListener(problem -> {});
            CompletableFuture<Void> reporting = CompletableFuture.runAsync(() -> {
                while (closing.report(new JMSException("problem"))) {
                    Thread.onSpinWait();
                }
            });
            closing.close();
            reporting.get();
        }
    }

    @Test
    void reporting_does_not_wait_for_the_listener() throws InterruptedException {
        CountDownLatch leave = new CountDownLatch(1);
        List<Thread> threads = new CopyOnWriteArrayList<>();
        reporter.setListener(problem -> {
            awaitQuietly(leave);
            threads.add(Thread.currentThread());
        });
        reporter.report(new JMSException("first"));
        reporter.report(new JMSException("second"));
        leave.countDown();
        await().until(() -> threads.size() == 2);
        assertThat(threads).doesNotContain(Thread.currentThread());
    }

    @Test
    void listener_that_throws_is_told_of_the_next_problem() {
        List<String> told = new CopyOnWriteArrayList<>();
        reporter.setListener(problem -> {
            told.add(problem.getMessage());
            throw new IllegalArgumentException("a faulty listener");
        });
        reporter.report(new JMSException("first"));
        reporter.report(new JMSException("second"));
        await().untilAsserted(() -> assertThat(told).containsExactly("first", "second"));
    }

    @Test
    void nobody_is_told_without_a_listener_or_after_the_end() {
        assertThat(reporter.report(new JMSException("unheard"))).isFalse();
        List<String> told = new CopyOnWriteArrayList<>();
        reporter.setListener(problem -> told.add(problem.getMessage()));
        reporter.close();
        assertThat(reporter.report(new JMSException("too late"))).isFalse();
        assertThat(told).isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void nobody_is_told_where_there_is_no_thread_for_it_and_whoever_reports_goes_on() {
        List<String> told = new CopyOnWriteArrayList<>();
        reporter.setListener(problem -> told.add(problem.getMessage()));
        try (NoThreads none = NoThreads.of("exceptions-test")) {
            assertThatNoException()
                    .isThrownBy(() -> assertThat(reporter.report(new JMSException("first")))
                            .isFalse());
            assertThat(none.refused()).isOne();
        }
        assertThat(reporter.report(new JMSException("second"))).isTrue();
        await().atMost(Duration.ofSeconds(60)).until(() -> told.equals(List.of("second")));
    }
}
