package org.readpast.spring.boot;

import jakarta.jms.ConnectionFactory;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Without another broker's connection factory: the application's one. Of it Boot makes the template and the client. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(MessageDatabase.class)
@ConditionalOnMissingBean(ConnectionFactory.class)
public class OnlyProvider {

    @Bean
    @DependsOnDatabaseInitialization
    ReadpastConnectionFactory jmsConnectionFactory(MessageDatabase database, Environment environment) {
        return database.connectionFactory(environment);
    }
}
