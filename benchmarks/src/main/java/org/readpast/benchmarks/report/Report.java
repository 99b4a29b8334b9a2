package org.readpast.benchmarks.report;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes results into a folder. */
public final class Report {

    private static final String RESULTS = "results.md";
    private static final String SUMMARY = "summary.md";
    private static final String FIRST_MARK = "<!-- figures: filled in by benchmarks/run --page -->";
    private static final String LAST_MARK = "<!-- end of figures -->";
    private static final Pattern PICTURE = Pattern.compile("]\\(([^/)]+\\.svg)\\)");

    private Report() {}

    /**
     * Writes {@code results.csv}, {@code results.md} with a picture for each workload, and {@code summary.md} with one for all, over
     * what was there.
     *
     * @param machine what the results depend on, by name
     */
    public static void write(Results results, Map<String, String> machine, Path directory) throws IOException {
        Files.createDirectories(directory);
        removePictures(directory);
        Csv.write(results.rows(), directory.resolve("results.csv"));
        Map<String, String> pictures = Pictures.write(results.rows(), directory);
        Page.write(results, machine, pictures, directory.resolve(RESULTS));
        String overview = Overview.write(Summary.rowsOf(results.rows()), directory);
        Summary.write(results.rows(), machine, overview, directory.resolve(SUMMARY));
    }

    /**
     * Replaces what stands between two marks of a page by the {@code summary.md} of a folder.
     *
     * @throws IllegalArgumentException if the page has not the marks
     */
    public static void fill(Path page, Path directory) throws IOException {
        String before = Files.readString(page);
        int first = before.indexOf(FIRST_MARK);
        int last = before.indexOf(LAST_MARK);
        if (first < 0 || last < first) {
            throw new IllegalArgumentException(
                    page + " has no place for figures: the lines '" + FIRST_MARK + "' and '" + LAST_MARK + "'");
        }
        String link = page.toAbsolutePath()
                .getParent()
                .relativize(directory.toAbsolutePath())
                .toString()
                .replace('\\', '/');
        List<String> summary = Files.readAllLines(directory.resolve(SUMMARY));
        String figures = PICTURE.matcher(String.join("\n", summary.subList(1, summary.size())))
                .replaceAll("](" + Matcher.quoteReplacement(link) + "/$1)");
        Files.writeString(
                page, before.substring(0, first) + FIRST_MARK + "\n" + figures + "\n" + before.substring(last));
    }

    /** Those of a former run, which may have had other workloads. */
    private static void removePictures(Path directory) throws IOException {
        try (DirectoryStream<Path> pictures = Files.newDirectoryStream(directory, "*.svg")) {
            for (Path picture : pictures) {
                Files.delete(picture);
            }
        }
    }
}
