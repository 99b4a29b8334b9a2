package org.readpast.spring.boot;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jms.listener.AbstractPollingMessageListenerContainer;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What a native image cannot see for itself: the statements, and the classes that are looked at by their names or as beans. */
final class NativeHints implements RuntimeHintsRegistrar {

    /** By an asterisk for each folder, since a pattern's meaning of two has changed with Spring 7. */
    private static final List<String> RESOURCES = List.of(
            "org/readpast/jms/sql/*/*.sql",
            "org/readpast/jms/sql/*/*/*.sql",
            "org/readpast/jms/sql/*/*/scripts.txt",
            "org/readpast/jms/sql/*/*/changelog.xml",
            "org/readpast/jms/jms/provider.properties");

    @Override
    public void registerHints(RuntimeHints hints, ClassLoader classLoader) {
        RESOURCES.forEach(hints.resources()::registerPattern);
        // Options are set as properties of a bean.
        for (Class<?> type = ReadpastConnectionFactory.class; type != Object.class; type = type.getSuperclass()) {
            hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        // The provider has no dependency on Spring, and finds its transactions by name.
        Stream.of(
                        TransactionSynchronizationManager.class,
                        TransactionSynchronization.class,
                        DataSourceUtils.class,
                        DelegatingDataSource.class,
                        AbstractRoutingDataSource.class)
                .forEach(type -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
        hints.reflection()
                .registerType(
                        TypeReference.of(DataSourceUtils.class.getName() + "$ConnectionSynchronization"),
                        type -> type.withField("dataSource"));
        // What takes part in the end of a transaction, and the connection that a session shows.
        Stream.of(
                        TransactionSynchronization.class,
                        Connection.class,
                        Statement.class,
                        PreparedStatement.class,
                        CallableStatement.class,
                        DatabaseMetaData.class,
                        ResultSet.class)
                .forEach(hints.proxies()::registerJdkProxy);
        // Whose DataSource a transaction manager has, and whether a container has a transaction manager.
        hints.reflection()
                .registerType(DataSourceTransactionManager.class, MemberCategory.INVOKE_PUBLIC_METHODS)
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.orm.jpa.JpaTransactionManager",
                        MemberCategory.INVOKE_PUBLIC_METHODS)
                .registerType(
                        AbstractPollingMessageListenerContainer.class, type -> type.withField("transactionManager"));
    }
}
