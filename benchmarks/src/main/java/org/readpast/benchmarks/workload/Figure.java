package org.readpast.benchmarks.workload;

/**
 * One measured value.
 *
 * @param detail what it is among the figures of its workload, empty for the only one
 */
public record Figure(String detail, double value, Unit unit) {

    static Figure rate(double operations, double seconds, Unit unit) {
        return new Figure("", operations / seconds, unit);
    }
}
