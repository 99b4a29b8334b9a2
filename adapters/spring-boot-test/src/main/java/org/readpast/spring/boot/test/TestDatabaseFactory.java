package org.readpast.spring.boot.test;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Gives a {@link ReadpastTest} its database, and keeps the application's components away. */
final class TestDatabaseFactory implements ContextCustomizerFactory {

    static final String IN_MEMORY = "jdbc:h2:mem:";

    @Override
    public ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        return TestContextAnnotationUtils.hasAnnotation(testClass, ReadpastTest.class) ? new TestDatabase() : null;
    }

    /** A record without components: all are equal, so that tests share a context, and its database. */
    private record TestDatabase() implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            String database = newDatabase();
            TestPropertyValues.of(
                            "spring.datasource.url=" + database,
                            "spring.datasource.driver-class-name=org.h2.Driver",
                            "spring.datasource.username=sa",
                            "spring.datasource.password=",
                            "spring.sql.init.username=",
                            "readpast.create-schema=true")
                    .applyTo(context);
            // When all of the application's properties are there, also those that a class of it names.
            context.addBeanFactoryPostProcessor(
                    beans -> elsewhere(context, database).applyTo(context));
            context.getBeanFactory().registerSingleton("readpastTestComponents", new NoComponents());
        }

        /** In place of the databases and logins that the application has beside those of its DataSource. */
        private static TestPropertyValues elsewhere(ConfigurableApplicationContext context, String database) {
            TestPropertyValues properties = TestPropertyValues.empty();
            for (String migration : List.of("spring.flyway.", "spring.liquibase.")) {
                boolean hasUrl = context.getEnvironment().containsProperty(migration + "url");
                if (hasUrl) {
                    properties = properties.and(migration + "url=" + database);
                }
                if (hasUrl || context.getEnvironment().containsProperty(migration + "user")) {
                    properties = properties.and(
                            migration + "driver-class-name=org.h2.Driver",
                            migration + "user=sa",
                            migration + "password=");
                }
            }
            if (context.getEnvironment().containsProperty("readpast.url")) {
                properties = properties.and("readpast.url=readpast:" + newDatabase());
            }
            for (String route : routes(context)) {
                properties = properties.and(
                        "readpast.route." + route + ".url=readpast:" + newDatabase(),
                        "readpast.route." + route + ".create-schema=true");
            }
            return properties;
        }

        /** The names of those that say where their database is. */
        private static List<String> routes(ConfigurableApplicationContext context) {
            return Binder.get(context.getEnvironment())
                    .bind("readpast.route", Bindable.mapOf(String.class, String.class))
                    .orElseGet(Map::of)
                    .keySet()
                    .stream()
                    .filter(name -> name.endsWith(".url"))
                    .map(name -> name.substring(0, name.length() - ".url".length()))
                    .toList();
        }

        private static String newDatabase() {
            return IN_MEMORY + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        }
    }
}
