package org.readpast.benchmarks.broker;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.readpast.benchmarks.machine.ChildJvm;
import org.readpast.benchmarks.system.SystemKind;

/** A broker in a JVM of its own, which it shares with nobody. */
public final class BrokerProcess implements AutoCloseable {

    private static final String NATIVE_LIBRARY = "libartemis-native-64.so";

    private final ChildJvm process;
    private final int port;
    private final String description;

    private BrokerProcess(ChildJvm process, int port, String description) {
        this.process = process;
        this.port = port;
        this.description = description;
    }

    /**
     * Starts one, and returns when it accepts connections.
     *
     * @param databaseUrl its database; empty if it uses none
     */
    public static BrokerProcess start(SystemKind kind, String databaseUrl, Path directory) throws IOException {
        Files.createDirectories(directory);
        List<String> options = new ArrayList<>(List.of("-Xms512m", "-Xmx2g"));
        if (kind == SystemKind.ARTEMIS_JOURNAL) {
            options.add("-Djava.library.path=" + nativeLibrary(directory));
        }
        ChildJvm process = ChildJvm.start(BrokerProcess.class, options, kind.name(), databaseUrl, directory.toString());
        return new BrokerProcess(process, Integer.parseInt(process.awaitLine()), process.awaitLine());
    }

    /** Artemis' own half of AIO is in a jar, which the JVM cannot load it from; the other half is the system's libaio. */
    private static Path nativeLibrary(Path directory) throws IOException {
        Path library = directory.resolve(NATIVE_LIBRARY);
        try (InputStream packed = BrokerProcess.class.getResourceAsStream("/lib/linux-x86_64/" + NATIVE_LIBRARY)) {
            if (packed != null) {
                Files.copy(packed, library);
            }
        }
        return directory.toAbsolutePath();
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Its processor time so far, in seconds. */
    public double processorSeconds() {
        return process.processorSeconds();
    }

    public String description() {
        return description;
    }

    @Override
    public void close() {
        process.close();
    }

    /** The child: kind, URL of its database, directory. */
    public static void main(String[] arguments) throws Exception {
        SystemKind kind = SystemKind.valueOf(arguments[0]);
        try (Broker broker = Broker.start(kind, arguments[1], Path.of(arguments[2]))) {
            ChildJvm.say(String.valueOf(broker.port()));
            ChildJvm.say(broker.description());
            while (ChildJvm.hear().isPresent()) {
                // It has nothing to be told.
            }
            System.exit(0);
        } catch (Exception | Error e) {
            // Threads of the broker may keep the JVM.
            e.printStackTrace();
            System.exit(1);
        }
    }
}
