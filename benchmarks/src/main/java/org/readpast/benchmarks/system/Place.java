package org.readpast.benchmarks.system;

/** Where the other side of an exchange is. */
public enum Place {
    SAME_JVM,
    OTHER_JVM
}
