package org.readpast.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import org.springframework.transaction.annotation.Transactional;

/**
 * A test of what sends and receives: with the starter, JDBC, transactions, Flyway and Liquibase, and none of the application's own
 * components but those that the test imports. {@code spring.datasource.url}, and {@code readpast.url} and the URLs of
 * routes where the application has them, are an H2 of the test's own each, and Flyway and Liquibase migrate that of
 * {@code spring.datasource.url} where they have a URL of their own; a DataSource that the application makes as a bean stays.
 *
 * <p>Each test is in a transaction that is rolled back, as with {@code @JdbcTest}: what it sends it can receive, and nobody else.
 * For a listener to hear of it a test has {@code @Transactional(propagation = Propagation.NOT_SUPPORTED)}. After each test the
 * listeners that run are stopped, the queues emptied and these listeners started again, if the messages are in a DataSource that is an
 * H2 in memory.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(SpringBootTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@ImportAutoConfiguration
@Transactional
public @interface ReadpastTest {}
