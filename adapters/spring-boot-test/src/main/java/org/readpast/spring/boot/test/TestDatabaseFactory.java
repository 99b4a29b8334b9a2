package org.readpast.spring.boot.test;

import java.util.List;
import java.util.UUID;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/** Gives a {@link ReadpastTest} its database, and keeps the application's components away. */
final class TestDatabaseFactory implements ContextCustomizerFactory {

    static final String IN_MEMORY = "jdbc:h2:mem:";

    @Override
    public ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        return AnnotatedElementUtils.hasAnnotation(testClass, ReadpastTest.class) ? new TestDatabase() : null;
    }

    /** A record without components: all are equal, so that tests share a context, and its database. */
    private record TestDatabase() implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            TestPropertyValues properties = TestPropertyValues.of(
                    "spring.datasource.url=" + newDatabase(),
                    "spring.datasource.driver-class-name=org.h2.Driver",
                    "spring.datasource.username=sa",
                    "spring.datasource.password=",
                    "readpast.create-schema=true");
            boolean elsewhere = context.getEnvironment().containsProperty("readpast.url");
            (elsewhere ? properties.and("readpast.url=readpast:" + newDatabase()) : properties).applyTo(context);
            context.getBeanFactory().registerSingleton("readpastTestComponents", new NoComponents());
        }

        private static String newDatabase() {
            return IN_MEMORY + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        }
    }
}
