package org.readpast.jms.tck.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a {@link ContractTest} once for each element of a list, such as the cells of a table. The method takes the
 * element as its parameter beside {@link Jms}; the element's {@code toString} names the case, and must be unique.
 *
 * <p>A matrix of conversions, or of what a selector means, says nothing of a database: with {@link #matrix} it runs on the first target
 * of the run alone, or with {@code -Dreadpast.test.matrices=all} on each.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface CasesFrom {
    /** A static method of the test's class, without parameters, that returns a {@code List}. */
    String value();

    /** Whether what the cases show is the same on every database. */
    boolean matrix() default false;
}
