package org.readpast.spring.boot;

import javax.sql.DataSource;
import org.readpast.spring.ReadpastDataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.transaction.PlatformTransactionManager;

/** Which database: what {@code readpast.url} says, the DataSource with {@link ReadpastDataSource}, or the application's one or primary. */
@Configuration(proxyBeanMethods = false)
@Conditional(DatabaseGiven.class)
public class DatabaseConfiguration {

    @Bean
    MessageDatabase readpastMessageDatabase(
            Environment environment,
            ObjectProvider<DataSource> dataSource,
            @ReadpastDataSource ObjectProvider<DataSource> qualified,
            ObjectProvider<PlatformTransactionManager> transactionManagers) {
        DataSource used = MessageOptions.hasUrl(environment) ? null : qualified.getIfAvailable(dataSource::getObject);
        return new MessageDatabase(used, transactionManagers.stream().toList());
    }

    @Bean
    HeldConnections readpastHeldConnections(ObjectProvider<JmsListenerEndpointRegistry> registry) {
        return new HeldConnections(registry);
    }
}
