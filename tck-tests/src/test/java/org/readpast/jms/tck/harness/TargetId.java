package org.readpast.jms.tck.harness;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The providers and databases that the contract suite can be run against. */
public enum TargetId {
    H2,
    /** Readpast on a message store of the tests, without SQL: only where it is asked for. */
    MEMORY,
    POSTGRESQL,
    SQLSERVER,
    ARTEMIS;

    /** The name used on the command line and in the names of test cases. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static TargetId ofLabel(String label) {
        return Arrays.stream(values())
                .filter(id -> id.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("readpast.test.targets names '" + label
                        + "', which is not a target; there are "
                        + Arrays.stream(values()).map(TargetId::label).collect(Collectors.joining(", "))));
    }
}
