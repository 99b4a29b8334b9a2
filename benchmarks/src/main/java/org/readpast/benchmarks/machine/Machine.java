package org.readpast.benchmarks.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What the results of a run depend on besides the programs. */
public final class Machine {

    private Machine() {}

    /** The processor, the systems, and how busy the machine is with other things at this moment. */
    public static Map<String, String> describe() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("processors", Runtime.getRuntime().availableProcessors() + processorModel());
        all.put("operating system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        all.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        all.put(
                "load average before the run",
                String.format(
                        Locale.ROOT,
                        "%.1f",
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        return all;
    }

    private static String processorModel() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> ", " + line.substring(line.indexOf(':') + 1).strip())
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }
}
