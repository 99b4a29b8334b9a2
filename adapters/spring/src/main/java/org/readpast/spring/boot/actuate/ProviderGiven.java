package org.readpast.spring.boot.actuate;

import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/** There is a connection factory of ours, by itself or beside another broker's. */
public final class ProviderGiven extends AnyNestedCondition {

    ProviderGiven() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(ReadpastConnectionFactory.class)
    static final class ByType {}

    @ConditionalOnBean(name = "readpastConnectionFactory")
    static final class ByName {}
}
