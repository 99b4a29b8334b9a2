package org.readpast.cli.exporter;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * The metrics of one database, or of several, each with the label {@code database} then. All are asked at the same time. Of one that has not answered
 * in time the last answer is given again, for a while; then it counts as away. It is not asked again until it has answered, and an answer that
 * nobody has waited for is the last one. Thread-safe.
 */
final class PatientMetrics implements MultiCollector {

    /** How long a scrape waits for answers. Prometheus gives up after ten seconds, if nothing else is set. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** How long an answer may take: a look takes seconds where there are many long queues. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** How long an answer is given again: as long as Prometheus itself takes a value for the latest. */
    private static final long OLD_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Map<String, DatabaseMetrics> databases;
    private final LongSupplier nanos;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "look");
        thread.setDaemon(true);
        return thread;
    });

    private record Question(Future<MetricSnapshots> answer, long sinceNanos) {}

    /** What was asked and is not answered yet. */
    private final Map<String, Question> asked = new ConcurrentHashMap<>();

    private record Answer(MetricSnapshots metrics, long atNanos) {}

    private final Map<String, Answer> last = new ConcurrentHashMap<>();

    /**
     * @param databases by their names
     * @param nanos a clock as {@link System#nanoTime()}
     */
    PatientMetrics(Map<String, DatabaseMetrics> databases, LongSupplier nanos) {
        this.databases = databases;
        this.nanos = nanos;
    }

    @Override
    public MetricSnapshots collect() {
        long now = nanos.getAsLong();
        Map<String, Question> questions = new LinkedHashMap<>();
        databases.forEach((name, metrics) -> questions.put(
                name, asked.computeIfAbsent(name, one -> new Question(threads.submit(() -> ask(name, metrics)), now))));
        long deadline = now + PATIENCE_NANOS;
        Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
        questions.forEach((name, question) -> add(gauges, name, answer(name, question, deadline)));
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
        return all.build();
    }

    private MetricSnapshots ask(String name, DatabaseMetrics metrics) {
        try {
            MetricSnapshots answer = metrics.collect();
            last.put(name, new Answer(answer, nanos.getAsLong()));
            return answer;
        } finally {
            asked.remove(name);
        }
    }

    private MetricSnapshots answer(String name, Question question, long deadline) {
        try {
            return question.answer().get(deadline - nanos.getAsLong(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            long now = nanos.getAsLong();
            Answer before = last.get(name);
            boolean isAway =
                    now - question.sinceNanos() > LATE_NANOS || before == null || now - before.atNanos() > OLD_NANOS;
            return isAway ? DatabaseMetrics.ofOneAway() : before.metrics();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DatabaseMetrics.ofOneAway();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void add(Map<String, GaugeSnapshot.Builder> gauges, String database, MetricSnapshots answer) {
        for (MetricSnapshot metric : answer) {
            String name = metric.getMetadata().getName();
            GaugeSnapshot.Builder gauge = gauges.computeIfAbsent(
                    name,
                    one -> GaugeSnapshot.builder()
                            .name(one)
                            .help(metric.getMetadata().getHelp()));
            for (GaugeDataPointSnapshot value : ((GaugeSnapshot) metric).getDataPoints()) {
                gauge.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(
                                databases.size() == 1
                                        ? value.getLabels()
                                        : value.getLabels().add("database", database))
                        .value(value.getValue())
                        .build());
            }
        }
    }
}
