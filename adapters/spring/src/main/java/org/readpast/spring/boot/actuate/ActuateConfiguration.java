package org.readpast.spring.boot.actuate;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.config.JmsListenerEndpointRegistry;

/** What is shown, where there is a connection factory of ours and a class to show it with. Health is left to the line of Spring Boot. */
@Configuration(proxyBeanMethods = false)
public class ActuateConfiguration {

    @Bean
    MessageQueries readpastMessageQueries(BeanFactory beans) {
        return new MessageQueries(beans.getBeanProvider(ReadpastConnectionFactory.class)
                .getIfUnique(() -> beans.getBean("readpastConnectionFactory", ReadpastConnectionFactory.class)));
    }

    @Bean
    MessageHealth readpastMessageHealth(
            MessageQueries queries, ObjectProvider<JmsListenerEndpointRegistry> registries) {
        return new MessageHealth(queries, registries);
    }

    /** With the Actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class WithActuator {
        @Bean
        @ConditionalOnAvailableEndpoint
        QueuesEndpoint readpastQueuesEndpoint(MessageQueries queries) {
            return new QueuesEndpoint(queries);
        }
    }

    /** With Micrometer. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class WithMicrometer {
        @Bean
        MeterBinder readpastQueueMeters(MessageQueries queries) {
            return new QueueMeters(queries);
        }
    }
}
