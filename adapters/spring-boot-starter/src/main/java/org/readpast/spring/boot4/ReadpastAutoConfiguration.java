package org.readpast.spring.boot4;

import io.micrometer.observation.ObservationRegistry;
import java.util.Optional;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.spring.ReadpastJmsListenerContainerFactory;
import org.readpast.spring.boot.BesideAnother;
import org.readpast.spring.boot.DatabaseConfiguration;
import org.readpast.spring.boot.MessageDatabase;
import org.readpast.spring.boot.OnlyProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jms.autoconfigure.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.boot.jms.autoconfigure.JmsProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.support.converter.MessageConverter;
import org.springframework.jms.support.destination.DestinationResolver;

/**
 * A connection factory over the application's DataSource, and listener containers whose transaction is that DataSource's. Another
 * broker's connection factory comes first: see {@link OnlyProvider} and {@link BesideAnother}.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jms.autoconfigure.JndiConnectionFactoryAutoConfiguration",
            "org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration",
            "org.springframework.boot.activemq.autoconfigure.ActiveMQAutoConfiguration"
        },
        beforeName = "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration")
@ConditionalOnProperty(name = "readpast.enabled", matchIfMissing = true)
@Import({DatabaseConfiguration.class, BesideAnother.class, OnlyProvider.class})
public class ReadpastAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "jmsListenerContainerFactory")
    @ConditionalOnBean(OnlyProvider.class)
    ReadpastJmsListenerContainerFactory jmsListenerContainerFactory(
            DefaultJmsListenerContainerFactoryConfigurer configurer,
            ReadpastConnectionFactory connectionFactory,
            MessageDatabase database) {
        return database.listenerContainerFactory(connectionFactory, configurer::configure);
    }

    @Bean(defaultCandidate = false)
    @ConditionalOnBean(BesideAnother.class)
    ReadpastJmsListenerContainerFactory readpastJmsListenerContainerFactory(
            DefaultJmsListenerContainerFactoryConfigurer configurer,
            @Qualifier("readpastConnectionFactory") ReadpastConnectionFactory connectionFactory,
            MessageDatabase database) {
        return database.listenerContainerFactory(connectionFactory, configurer::configure);
    }

    /** As Boot makes the one of the other broker. */
    @Bean(defaultCandidate = false)
    @ConditionalOnBean(BesideAnother.class)
    JmsTemplate readpastJmsTemplate(
            @Qualifier("readpastConnectionFactory") ReadpastConnectionFactory connectionFactory,
            JmsProperties properties,
            ObjectProvider<DestinationResolver> destinations,
            ObjectProvider<MessageConverter> converter,
            ObjectProvider<ObservationRegistry> observations) {
        JmsTemplate template = BesideAnother.template(connectionFactory, destinations, converter, observations);
        template.setPubSubDomain(properties.isPubSubDomain());
        JmsProperties.Template options = properties.getTemplate();
        template.setSessionAcknowledgeMode(
                options.getSession().getAcknowledgeMode().getMode());
        template.setSessionTransacted(options.getSession().isTransacted());
        template.setExplicitQosEnabled(options.determineQosEnabled());
        Optional.ofNullable(options.getDefaultDestination()).ifPresent(template::setDefaultDestinationName);
        Optional.ofNullable(options.getDeliveryMode()).ifPresent(mode -> template.setDeliveryMode(mode.getValue()));
        Optional.ofNullable(options.getPriority()).ifPresent(template::setPriority);
        Optional.ofNullable(options.getDeliveryDelay()).ifPresent(delay -> template.setDeliveryDelay(delay.toMillis()));
        Optional.ofNullable(options.getTimeToLive()).ifPresent(time -> template.setTimeToLive(time.toMillis()));
        Optional.ofNullable(options.getReceiveTimeout()).ifPresent(time -> template.setReceiveTimeout(time.toMillis()));
        return template;
    }
}
