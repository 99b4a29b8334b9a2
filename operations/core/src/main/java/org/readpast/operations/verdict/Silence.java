package org.readpast.operations.verdict;

import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * That somebody knows of a finding and does not want to be told of it for a while.
 *
 * @param cause what the finding is about
 * @param subject the finding's subject, where {@code *} stands for any characters
 * @param until it counts before this moment, by the database's clock
 * @param why for whoever sees it later
 */
public record Silence(Cause cause, String subject, Instant until, String why) {

    /** Whether it is about this finding, and not over. */
    boolean isFor(Finding finding, Instant now) {
        return cause == finding.cause()
                && !isOver(now)
                && pattern().matcher(finding.subject()).matches();
    }

    boolean isOver(Instant now) {
        return !now.isBefore(until);
    }

    private Pattern pattern() {
        return Pattern.compile(
                Arrays.stream(subject.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                Pattern.DOTALL);
    }
}
