package org.readpast.benchmarks.report;

/**
 * One system's place in the results of one workload.
 *
 * @param workload its name
 */
public record Cell(String workload, int threads, String system) {}
