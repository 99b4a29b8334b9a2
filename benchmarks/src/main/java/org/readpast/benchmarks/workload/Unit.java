package org.readpast.benchmarks.workload;

/** What a figure counts. */
public enum Unit {
    MESSAGES_PER_SECOND("messages/s"),
    REQUESTS_PER_SECOND("requests/s"),
    MEGABYTES_PER_SECOND("MB/s"),
    MILLISECONDS("ms"),
    DATABASE_MILLISECONDS_PER_MESSAGE("ms of database CPU/message"),
    LOG_BYTES_PER_MESSAGE("bytes of log/message"),
    ROUND_TRIPS_PER_SECOND("round trips/s"),
    PERCENT_OF_A_CORE("% of a core");

    private final String label;

    Unit(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** Whether more is better; of the others, less is. */
    public boolean isRate() {
        return this == MESSAGES_PER_SECOND || this == REQUESTS_PER_SECOND || this == MEGABYTES_PER_SECOND;
    }
}
