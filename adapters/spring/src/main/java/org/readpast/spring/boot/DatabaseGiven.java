package org.readpast.spring.boot;

import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** There is a DataSource, or a URL of our own. */
final class DatabaseGiven extends AnyNestedCondition {

    DatabaseGiven() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(DataSource.class)
    static final class ByDataSource {}

    @ConditionalOnProperty("readpast.url")
    static final class ByUrl {}
}
