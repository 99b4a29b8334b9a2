package org.readpast.spring.boot.actuate;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.jms.JMSException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Gauges of depth and age for each queue. Whoever reads {@code readpast.queues} has the others brought up to date on a thread of ours, at
 * most every ten seconds, and waits for nothing: what is shown is what was found at the last look. Thread-safe.
 */
final class QueueMeters implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(QueueMeters.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final MessageQueries queries;
    private final Executor executor;

    /** Those of all registries. */
    private final List<Gauges> shown = new CopyOnWriteArrayList<>();

    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile Instant looked = Instant.MIN;
    private volatile double queues = Double.NaN;

    /** Those of one registry. */
    private record Gauges(MultiGauge depth, MultiGauge age) {}

    QueueMeters(MessageQueries queries) {
        this(queries, daemons());
    }

    /** @param executor where the database is asked */
    QueueMeters(MessageQueries queries, Executor executor) {
        this.queries = queries;
        this.executor = executor;
    }

    private static Executor daemons() {
        SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("readpast-meters-");
        executor.setDaemon(true);
        return executor;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        MultiGauge depth = MultiGauge.builder("readpast.queue.depth")
                .description("Messages that wait or are in somebody's transaction, on the servers counted up to 10,000")
                .baseUnit("messages")
                .register(registry);
        MultiGauge age = MultiGauge.builder("readpast.queue.oldest")
                .description("How long ago the oldest message was sent")
                .baseUnit("seconds")
                .register(registry);
        shown.add(new Gauges(depth, age));
        Gauge.builder("readpast.queues", () -> {
                    lookAgain();
                    return queues;
                })
                .description("Queues and subscriptions")
                .register(registry);
    }

    private void lookAgain() {
        if (Instant.now().isAfter(looked.plus(PAUSE)) && looking.compareAndSet(false, true)) {
            try {
                executor.execute(this::look);
            } catch (RuntimeException | Error e) {
                // There was no thread: whoever reads next asks for one again.
                looking.set(false);
                throw e;
            }
        }
    }

    private void look() {
        try {
            List<QueueDepth> found = queries.depths();
            show(found);
            queues = found.size();
        } catch (JMSException | SQLException | RuntimeException e) {
            show(List.of());
            queues = Double.NaN;
            tell(e);
        } finally {
            looked = Instant.now();
            looking.set(false);
        }
    }

    private void show(List<QueueDepth> found) {
        List<MultiGauge.Row<?>> depths = rows(found, QueueDepth::depth);
        List<MultiGauge.Row<?>> ages =
                rows(found, queue -> queue.oldestSeconds() == null ? 0 : Math.max(0, queue.oldestSeconds()));
        shown.forEach(gauges -> {
            gauges.depth().register(depths, true);
            gauges.age().register(ages, true);
        });
    }

    private static List<MultiGauge.Row<?>> rows(List<QueueDepth> found, ToDoubleFunction<QueueDepth> value) {
        return found.stream()
                .<MultiGauge.Row<?>>map(queue -> MultiGauge.Row.of(
                        Tags.of("queue", queue.name(), "kind", queue.kind()), value.applyAsDouble(queue)))
                .toList();
    }

    private void tell(Exception problem) {
        if (told.compareAndSet(false, true)) {
            LOG.warn(
                    "The meters of the queues cannot be read: {}. A user who may not read the view needs the role readpast_observe. It is"
                            + " tried again; said once.",
                    problem.getMessage());
        } else {
            LOG.debug("The meters of the queues cannot be read", problem);
        }
    }
}
