package org.readpast.operations.verdict;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which findings are silenced, and until when. Immutable. */
public final class Silences {

    private static final Pattern LINE = Pattern.compile("(\\S+)\\s+(\"[^\"]+\"|\\S+)\\s+(\\S+)\\s+(.+)");

    private final List<Silence> all;

    private Silences(List<Silence> all) {
        this.all = List.copyOf(all);
    }

    /** Nothing is silenced. */
    public static Silences none() {
        return new Silences(List.of());
    }

    /**
     * What a file says: a line each with the finding, its subject, until when and why. Empty lines and those that begin with {@code #} say
     * nothing. {@code docs/verdict.md} has an example.
     *
     * @param file null for none
     * @throws IllegalArgumentException if the file cannot be read or has a line that is not understood, with its number
     */
    public static Silences read(Path file) {
        if (file == null) {
            return none();
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file of silenced findings cannot be read: " + e, e);
        }
        List<Silence> read = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                read.add(parse(line, file + ", line " + (i + 1) + ": "));
            }
        }
        return new Silences(read);
    }

    private static Silence parse(String line, String where) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    where
                            + "a line is FINDING SUBJECT UNTIL WHY, for example: dead-letters DLQ 2026-12-01T06:00:00Z ticket 4711");
        }
        Cause cause = Arrays.stream(Cause.values())
                .filter(known -> known.code().equals(parts.group(1)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        where + "there is no finding '" + parts.group(1) + "': see docs/verdict.md"));
        try {
            return new Silence(cause, parts.group(2).replace("\"", ""), Instant.parse(parts.group(3)), parts.group(4));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    where + "'" + parts.group(3) + "' is no time in UTC such as 2026-12-01T06:00:00Z", e);
        }
    }

    /**
     * What silences a finding.
     *
     * @param now by the database's clock
     */
    public Optional<Silence> of(Finding finding, Instant now) {
        return all.stream().filter(silence -> silence.isFor(finding, now)).findFirst();
    }

    /** Those that silence nothing any more. */
    public List<Silence> over(Instant now) {
        return all.stream().filter(silence -> silence.isOver(now)).toList();
    }
}
