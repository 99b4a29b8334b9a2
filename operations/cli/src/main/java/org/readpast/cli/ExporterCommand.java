package org.readpast.cli;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.readpast.operations.Snapshot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Metrics for Prometheus. */
@Command(
        name = "exporter",
        description =
                "Serves metrics of the database, and of those of its routes, to Prometheus until it is interrupted.",
        mixinStandardHelpOptions = true)
final class ExporterCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Silenced silenced;

    @Mixin
    private Output output;

    @Option(
            names = "--address",
            defaultValue = "localhost",
            description =
                    "The address to listen on, 0.0.0.0 for all. Whoever reaches it reads the metrics. Default: ${DEFAULT-VALUE}.")
    private InetAddress address;

    @Option(
            names = "--port",
            defaultValue = "9740",
            description = "The port to listen on, 0 for any that is free. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--every",
            defaultValue = "10",
            description = "Asks the database at most every so many seconds, 1 or more. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Override
    public Integer call() throws Exception {
        if (seconds < 1) {
            throw new IllegalArgumentException("--every is 1 second or more");
        }
        // What is wrong with the arguments is said at once; a database that is away may come.
        silenced.read(target);
        Map<String, Target> databases = target.databases();
        Map<String, DatabaseMetrics> metrics = new LinkedHashMap<>();
        for (Map.Entry<String, Target> each : databases.entrySet()) {
            each.getValue().check();
            String database = databases.size() == 1 ? "The database" : "Database " + each.getKey();
            metrics.put(each.getKey(), metrics(database, each.getValue()));
        }
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(metrics.size() == 1 ? metrics.values().iterator().next() : new RoutedMetrics(metrics));
        try (HTTPServer server = HTTPServer.builder()
                .inetAddress(address)
                .port(port)
                .registry(registry)
                .buildAndStart()) {
            output.out().println("Metrics at http://" + address.getHostAddress() + ":" + server.getPort() + "/metrics");
            output.out().flush();
            new CountDownLatch(1).await();
        }
        return ExitCode.DONE;
    }

    private DatabaseMetrics metrics(String database, Target where) {
        return new DatabaseMetrics(
                database,
                () -> where.look(Snapshot::take),
                () -> silenced.read(target),
                Duration.ofSeconds(seconds),
                System::nanoTime);
    }
}
