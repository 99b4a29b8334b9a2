package org.readpast.spring.boot3;

import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.spring.ReadpastJmsListenerContainerFactory;
import org.readpast.spring.boot.BesideAnother;
import org.readpast.spring.boot.DatabaseConfiguration;
import org.readpast.spring.boot.MessageDatabase;
import org.readpast.spring.boot.OnlyProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.jms.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * A connection factory over the application's DataSource, and listener containers whose transaction is that DataSource's. Another
 * broker's connection factory comes first: see {@link OnlyProvider} and {@link BesideAnother}.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jms.JndiConnectionFactoryAutoConfiguration",
            "org.springframework.boot.autoconfigure.jms.artemis.ArtemisAutoConfiguration",
            "org.springframework.boot.autoconfigure.jms.activemq.ActiveMQAutoConfiguration"
        },
        beforeName = "org.springframework.boot.autoconfigure.jms.JmsAutoConfiguration")
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
    @ConditionalOnBean(name = "readpastConnectionFactory")
    ReadpastJmsListenerContainerFactory readpastJmsListenerContainerFactory(
            DefaultJmsListenerContainerFactoryConfigurer configurer,
            @Qualifier("readpastConnectionFactory") ReadpastConnectionFactory connectionFactory,
            MessageDatabase database) {
        return database.listenerContainerFactory(connectionFactory, configurer::configure);
    }
}
