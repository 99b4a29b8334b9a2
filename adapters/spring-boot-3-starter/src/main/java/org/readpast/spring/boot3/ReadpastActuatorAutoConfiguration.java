package org.readpast.spring.boot3;

import org.readpast.spring.boot.actuate.ActuateConfiguration;
import org.readpast.spring.boot.actuate.Finding;
import org.readpast.spring.boot.actuate.MessageHealth;
import org.readpast.spring.boot.actuate.ProviderGiven;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Health, meters and the endpoint, where the application has the Actuator or Micrometer. */
@AutoConfiguration(after = ReadpastAutoConfiguration.class)
@Conditional(ProviderGiven.class)
@Import(ActuateConfiguration.class)
public class ReadpastActuatorAutoConfiguration {

    /** The indicators {@code readpast} and {@code readpastListeners}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
    static class WithHealth {
        @Bean
        @ConditionalOnEnabledHealthIndicator("readpast")
        HealthIndicator readpastHealthIndicator(MessageHealth health) {
            return () -> health(health.database());
        }

        @Bean
        @ConditionalOnEnabledHealthIndicator("readpast-listeners")
        HealthIndicator readpastListenersHealthIndicator(MessageHealth health) {
            return () -> health(health.listeners());
        }

        private static Health health(Finding finding) {
            Health.Builder health = finding.up() ? Health.up() : Health.down();
            return (finding.problem() == null ? health : health.withException(finding.problem()))
                    .withDetails(finding.details())
                    .build();
        }
    }
}
