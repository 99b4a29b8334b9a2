package org.readpast.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes results into a folder. */
public final class Report {

    private Report() {}

    /**
     * Writes {@code results.csv}, {@code results.md} and a picture for each workload, over what was there.
     *
     * @param machine what the results depend on, by name
     */
    public static void write(Results results, Map<String, String> machine, Path directory) throws IOException {
        Files.createDirectories(directory);
        Csv.write(results.rows(), directory.resolve("results.csv"));
        Map<String, String> pictures = Pictures.write(results.rows(), directory);
        Page.write(results, machine, pictures, directory.resolve("results.md"));
    }
}
