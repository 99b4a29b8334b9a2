package org.readpast.jms.tck.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A case of the contract suite: runs once on each target of the run. The method is given a {@link Jms}; what it opens
 * through that fixture is closed after the case, and the target is then asked whether anything was left behind. A case
 * that hangs fails, with the stack of its thread.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(ContractExtension.class)
public @interface ContractTest {}
