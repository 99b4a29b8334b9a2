package org.readpast.jms.tck.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the cases of this class show is decided in the client, and is the same on every database: they run on the first target of the run
 * alone, or with {@code -Dreadpast.test.matrices=all} on each.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OfTheClient {}
