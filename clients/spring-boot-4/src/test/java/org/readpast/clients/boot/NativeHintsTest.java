package org.readpast.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.Statement;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.BeanUtils;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What a native image is told. None is built here. */
class NativeHintsTest {

    private static RuntimeHints hints() {
        RuntimeHints hints = new RuntimeHints();
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .stream()
                .filter(registrar -> registrar.getClass().getName().startsWith("org.readpast"))
                .forEach(registrar -> registrar.registerHints(hints, NativeHintsTest.class.getClassLoader()));
        return hints;
    }

    @Test
    void all_files_of_the_provider_are_in_the_image() throws IOException {
        RuntimeHints hints = hints();
        Resource[] files = new PathMatchingResourcePatternResolver().getResources("classpath:org/readpast/jms/**/*.*");
        assertThat(Stream.of(files)
                        .map(NativeHintsTest::path)
                        .filter(path -> !path.endsWith(".class"))
                        .toList())
                .hasSizeGreaterThan(100)
                .allMatch(path ->
                        RuntimeHintsPredicates.resource().forResource(path).test(hints));
    }

    private static String path(Resource resource) {
        try {
            String url = resource.getURL().toString();
            return url.substring(url.indexOf("org/readpast/jms/", url.indexOf('!')));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void what_is_looked_at_by_name_is_in_the_image() throws ReflectiveOperationException {
        RuntimeHints hints = hints();
        for (var property : BeanUtils.getPropertyDescriptors(ReadpastConnectionFactory.class)) {
            if (property.getWriteMethod() != null) {
                assertThat(RuntimeHintsPredicates.reflection().onMethod(property.getWriteMethod()))
                        .accepts(hints);
            }
        }
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(TransactionSynchronizationManager.class.getMethod("isActualTransactionActive")))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(DataSourceUtils.class.getMethod(
                                "doReleaseConnection", Connection.class, DataSource.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethod(JpaTransactionManager.class.getMethod("getDataSource")))
                .accepts(hints);
        for (Class<?> type : new Class<?>[] {TransactionSynchronization.class, Connection.class, Statement.class}) {
            assertThat(RuntimeHintsPredicates.proxies().forInterfaces(type)).accepts(hints);
        }
    }
}
