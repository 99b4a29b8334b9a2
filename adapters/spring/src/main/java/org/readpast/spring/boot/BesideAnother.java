package org.readpast.spring.boot;

import io.micrometer.observation.ObservationRegistry;
import jakarta.jms.ConnectionFactory;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.support.converter.MessageConverter;
import org.springframework.jms.support.destination.DestinationResolver;

/** With {@code readpast.enabled=true} beside another broker's connection factory: beans that are injected by their name only. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "readpast.enabled", havingValue = "true")
@ConditionalOnBean({ConnectionFactory.class, MessageDatabase.class})
@ConditionalOnMissingBean(ReadpastConnectionFactory.class)
public class BesideAnother {

    @Bean(defaultCandidate = false)
    @DependsOnDatabaseInitialization
    ReadpastConnectionFactory readpastConnectionFactory(MessageDatabase database, Environment environment) {
        return database.connectionFactory(environment);
    }

    /** The template of these beans, with the application's beans that Boot gives to its own. */
    public static JmsTemplate template(
            ReadpastConnectionFactory connectionFactory,
            ObjectProvider<DestinationResolver> destinations,
            ObjectProvider<MessageConverter> converter,
            ObjectProvider<ObservationRegistry> observations) {
        JmsTemplate template = new JmsTemplate(connectionFactory);
        destinations.ifUnique(template::setDestinationResolver);
        converter.ifUnique(template::setMessageConverter);
        observations.ifUnique(template::setObservationRegistry);
        return template;
    }
}
