package org.readpast.spring.boot.actuate;

import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;

/** There is one connection factory of ours, or the starter's beside another broker's. */
public final class ProviderGiven extends AnyNestedCondition {

    ProviderGiven() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnSingleCandidate(ReadpastConnectionFactory.class)
    static final class ByType {}

    @ConditionalOnBean(name = "readpastConnectionFactory")
    static final class ByName {}
}
