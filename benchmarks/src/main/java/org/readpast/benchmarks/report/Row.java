package org.readpast.benchmarks.report;

import java.util.OptionalDouble;
import org.readpast.benchmarks.workload.Unit;

/**
 * One line of the results.
 *
 * @param workload the name of the workload, and of the figure where it has several
 * @param value the median
 * @param least of all repetitions
 * @param most of all repetitions
 * @param ratioToFloor value by the floor's value; empty if that was not measured
 */
public record Row(
        String workload,
        int threads,
        String system,
        double value,
        Unit unit,
        double least,
        double most,
        OptionalDouble ratioToFloor) {

    /** Whether both are the same figure of the same workload. */
    boolean isOf(Row other) {
        return workload.equals(other.workload) && threads == other.threads && unit == other.unit;
    }

    /** How many times as good as another one of the same figure it is. */
    double timesAsGoodAs(Row other) {
        return unit.isRate() ? value / other.value : other.value / value;
    }
}
