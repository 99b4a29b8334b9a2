package org.readpast.jms.tck.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A target that is known to do otherwise than a case says. There the case must fail; when it passes, it is reported as
 * failed, since the deviation is then no longer needed.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Deviation.All.class)
public @interface Deviation {
    TargetId target();

    /** The clause of the specification that the case rests on, such as {@code "§6.2.10"}. */
    String clause();

    /** What the target does instead. */
    String why();

    /** The cases of {@link CasesFrom} that it is confined to, by their names; without any, it concerns all. */
    String[] cases() default {};

    /** The target does otherwise now and then, by its timing: the case is not run there, since it shows nothing. */
    boolean nowAndThen() default false;

    /** Holds the deviations of a case that has several. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface All {
        Deviation[] value();
    }
}
