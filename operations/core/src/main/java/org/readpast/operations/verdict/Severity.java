package org.readpast.operations.verdict;

/** How bad a finding is, worst first. */
public enum Severity {
    /** Messages do not move, or soon will not. */
    CRITICAL,
    /** Something is not as it should be. */
    WARNING,
    /** It could not be found out. */
    UNKNOWN
}
