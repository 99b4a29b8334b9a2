package org.readpast.spring.boot;

import javax.sql.DataSource;
import org.readpast.spring.ReadpastDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jms.config.JmsListenerEndpointRegistry;

/** Which database: what {@code readpast.url} says, the DataSource with {@link ReadpastDataSource}, or the application's one or primary. */
@Configuration(proxyBeanMethods = false)
@Conditional(DatabaseGiven.class)
public class DatabaseConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseConfiguration.class);

    @Bean
    MessageDatabase readpastMessageDatabase(
            Environment environment,
            ObjectProvider<DataSource> dataSource,
            @ReadpastDataSource ObjectProvider<DataSource> qualified,
            ListableBeanFactory beans) {
        boolean hasUrl = MessageOptions.hasUrl(environment);
        if (hasUrl) {
            LOG.info(
                    "The messages are where readpast.url says, which may be READPAST_URL in the environment, and not in a DataSource of the"
                            + " application's.");
        }
        return new MessageDatabase(hasUrl ? null : qualified.getIfAvailable(dataSource::getObject), beans);
    }

    @Bean
    HeldConnections readpastHeldConnections(ObjectProvider<JmsListenerEndpointRegistry> registry) {
        return new HeldConnections(registry);
    }
}
