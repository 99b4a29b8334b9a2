package org.readpast.cli.administration;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Failure;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Silenced;
import org.readpast.cli.terminal.Target;
import org.readpast.console.Console;
import org.readpast.console.Proxy;
import org.readpast.console.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The console, a web page. */
@Command(
        name = "console",
        description =
                "Serves a web page on which one sees what waits and what is wrong, and puts it right, until it is interrupted."
                        + " Each signs in there by a login of the database: --user and a password are not used.",
        mixinStandardHelpOptions = true)
public final class ConsoleCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Silenced silenced;

    @Mixin
    private Output output;

    @Option(names = "--demo", description = "Serves it on a database in memory, with messages that come and go.")
    private boolean isDemo;

    @Option(
            names = "--address",
            defaultValue = "localhost",
            description =
                    "The address to listen on; another one than this machine's own needs --keystore. Default: ${DEFAULT-VALUE}.")
    private InetAddress address;

    @Option(
            names = "--port",
            defaultValue = "9741",
            description = "The port to listen on, 0 for any that is free. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--host",
            description =
                    "A name by which browsers call it; may be given several times. By other names it is not answered.")
    private List<String> hosts = List.of();

    @Option(names = "--keystore", description = "A PKCS12 file with the key and the certificate for TLS.")
    private Path keystore;

    @Option(
            names = "--keystore-password-file",
            description =
                    "A file whose first line is the password of the keystore. Without it: READPAST_KEYSTORE_PASSWORD.")
    private Path keystorePasswordFile;

    @Option(
            names = "--idle",
            defaultValue = "15",
            description = "A session ends after so many minutes without a request. Default: ${DEFAULT-VALUE}.")
    private int idleMinutes;

    @Option(
            names = "--longest",
            defaultValue = "8",
            description = "A session ends after so many hours. Default: ${DEFAULT-VALUE}.")
    private int longestHours;

    @Option(
            names = "--users",
            defaultValue = "20",
            description =
                    "So many may be signed in at once, each with two connections to the database. Default: ${DEFAULT-VALUE}.")
    private int users;

    @Option(
            names = "--proxy",
            paramLabel = "FILE",
            description =
                    "A file that says by which reverse proxy users come, who has signed them in, and by which logins of the database they look and act.")
    private Path proxy;

    @Override
    public Integer call() throws Exception {
        silenced.read(target);
        try (Demo demo = isDemo ? Demo.start() : null;
                Console console = Console.start(new Settings(
                        isDemo ? demo.url() : target.url(),
                        isDemo ? Demo.SCHEMA : target.schema(),
                        address,
                        port,
                        keystore == null ? null : new Settings.Tls(keystore, keystorePassword()),
                        Set.copyOf(hosts),
                        Duration.ofMinutes(idleMinutes),
                        Duration.ofHours(longestHours),
                        users,
                        silenced.file(target),
                        proxy == null ? null : Proxy.read(proxy)))) {
            output.out().println("The console is at " + console.uri());
            if (isDemo) {
                output.out().println("Sign in as " + Demo.USER + " with the password " + demo.password());
            }
            output.out().flush();
            new CountDownLatch(1).await();
        }
        return ExitCode.DONE;
    }

    private String keystorePassword() throws IOException {
        if (keystorePasswordFile != null) {
            try (var lines = Files.lines(keystorePasswordFile)) {
                return lines.findFirst().orElse("");
            }
        }
        String fromEnvironment = System.getenv("READPAST_KEYSTORE_PASSWORD");
        if (fromEnvironment == null) {
            throw new Failure.Refused(
                    ExitCode.USAGE,
                    "the password of the keystore? Give --keystore-password-file or READPAST_KEYSTORE_PASSWORD");
        }
        return fromEnvironment;
    }
}
