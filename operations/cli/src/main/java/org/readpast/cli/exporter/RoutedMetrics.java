package org.readpast.cli.exporter;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The metrics of several databases, each with the label {@code database}. All are asked at the same time. One that has not answered in time counts
 * as away, and is not asked again until it has. Thread-safe.
 */
final class RoutedMetrics implements MultiCollector {

    /** How long a scrape waits for answers. Prometheus gives up after ten seconds, if nothing else is set. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Map<String, DatabaseMetrics> databases;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "look");
        thread.setDaemon(true);
        return thread;
    });

    /** What was asked and not answered in time. Guarded by this. */
    private final Map<String, Future<MetricSnapshots>> asked = new HashMap<>();

    /** @param databases by their names */
    RoutedMetrics(Map<String, DatabaseMetrics> databases) {
        this.databases = databases;
    }

    @Override
    public synchronized MetricSnapshots collect() {
        databases.forEach(
                (name, metrics) -> asked.computeIfAbsent(name, one -> threads.submit(() -> metrics.collect())));
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
        databases.keySet().forEach(name -> add(gauges, name, answer(name, deadline)));
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
        return all.build();
    }

    private MetricSnapshots answer(String name, long deadline) {
        try {
            MetricSnapshots answer = asked.get(name).get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            asked.remove(name);
            return answer;
        } catch (TimeoutException e) {
            return DatabaseMetrics.ofOneAway();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DatabaseMetrics.ofOneAway();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static void add(Map<String, GaugeSnapshot.Builder> gauges, String database, MetricSnapshots answer) {
        for (MetricSnapshot metric : answer) {
            String name = metric.getMetadata().getName();
            GaugeSnapshot.Builder gauge = gauges.computeIfAbsent(
                    name,
                    one -> GaugeSnapshot.builder()
                            .name(one)
                            .help(metric.getMetadata().getHelp()));
            for (GaugeDataPointSnapshot value : ((GaugeSnapshot) metric).getDataPoints()) {
                gauge.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(value.getLabels().add("database", database))
                        .value(value.getValue())
                        .build());
            }
        }
    }
}
