package org.readpast.jms.tck.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The cases of this class run on Readpast only, with connection factories that have these options beside the usual ones. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ReadpastOptions {
    /** As behind the {@code #} of a URL: {@code name=value} with {@code &} between them. */
    String value();
}
