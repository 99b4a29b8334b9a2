package org.readpast.cli.exporter;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Silenced;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.snapshot.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Metrics for Prometheus. */
@Command(
        name = "exporter",
        description =
                "Serves metrics of the database, and of those of its routes, to Prometheus until it is interrupted.",
        mixinStandardHelpOptions = true)
public final class ExporterCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(ExporterCommand.class);

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

    @Option(
            names = "--jmx",
            description =
                    "Shows each destination and connected JVM by JMX too, and looks every so many seconds for it.")
    private boolean isJmx;

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
            metrics.put(each.getKey(), metrics(databases.size() == 1 ? null : each.getKey(), each.getValue()));
        }
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(new PatientMetrics(metrics, System::nanoTime));
        try (HTTPServer server = HTTPServer.builder()
                .inetAddress(address)
                .port(port)
                .registry(registry)
                .buildAndStart()) {
            if (isJmx) {
                metrics.values().forEach(this::lookAgainAndAgain);
            }
            output.out().println("Metrics at http://" + address.getHostAddress() + ":" + server.getPort() + "/metrics");
            output.out().flush();
            new CountDownLatch(1).await();
        }
        return ExitCode.DONE;
    }

    /** On a thread of its own, so that a database that is away keeps none of the others waiting. */
    private void lookAgainAndAgain(DatabaseMetrics metrics) {
        TimerTask look = new TimerTask() {
            @Override
            public void run() {
                try {
                    metrics.collect();
                } catch (RuntimeException | Error e) {
                    // It would end the timer, and JMX show for ever what was seen last.
                    LOG.error("A look failed, and there is another one in a second", e);
                }
            }
        };
        // Whether it is time they know themselves: once in so many seconds would be too soon every second time.
        new Timer("look", true).schedule(look, 0, TimeUnit.SECONDS.toMillis(1));
    }

    /** @param name null where it is the only one */
    private DatabaseMetrics metrics(String name, Target where) {
        return new DatabaseMetrics(
                name == null ? "The database" : "Database " + name,
                isJmx ? new DatabaseBeans(name) : null,
                () -> where.look(Snapshot::take),
                () -> silenced.read(target),
                Duration.ofSeconds(seconds),
                System::nanoTime);
    }
}
