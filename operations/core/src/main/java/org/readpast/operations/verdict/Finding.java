package org.readpast.operations.verdict;

import java.time.Instant;
import java.util.List;

/**
 * Something that is wrong, or that could not be found out.
 *
 * @param severity how bad
 * @param cause what it is about
 * @param subject the queue, session, JVM or table
 * @param since by the database's clock; null where it is not known
 * @param what what is wrong, in a sentence
 * @param evidence what it was concluded from
 * @param next what to do
 */
public record Finding(
        Severity severity,
        Cause cause,
        String subject,
        Instant since,
        String what,
        List<String> evidence,
        String next) {
    public Finding {
        evidence = List.copyOf(evidence);
    }
}
