package org.readpast.spring.boot;

import java.util.List;
import javax.sql.DataSource;
import org.readpast.spring.ReadpastDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
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

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseConfiguration.class);

    @Bean
    MessageDatabase readpastMessageDatabase(
            Environment environment,
            ObjectProvider<DataSource> dataSource,
            @ReadpastDataSource ObjectProvider<DataSource> qualified,
            ObjectProvider<PlatformTransactionManager> first,
            ListableBeanFactory beans) {
        boolean hasUrl = MessageOptions.hasUrl(environment);
        if (hasUrl) {
            LOG.info(
                    "The messages are where readpast.url says, which may be READPAST_URL in the environment, and not in a DataSource of the"
                            + " application's.");
        }
        return new MessageDatabase(
                hasUrl ? null : qualified.getIfAvailable(dataSource::getObject),
                // What is injected leaves out those that are no default candidates, as one of a second DataSource is.
                List.copyOf(BeanFactoryUtils.beansOfTypeIncludingAncestors(
                                beans, PlatformTransactionManager.class, false, true)
                        .values()),
                first.getIfUnique());
    }

    @Bean
    HeldConnections readpastHeldConnections(ObjectProvider<JmsListenerEndpointRegistry> registry) {
        return new HeldConnections(registry);
    }
}
