package org.readpast.spring.boot;

import jakarta.jms.ConnectionFactory;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.spring.ReadpastJmsListenerContainerFactory;
import org.readpast.spring.TransactionManagers;
import org.springframework.core.env.Environment;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Where the messages are, and who ends the transactions there.
 *
 * @param dataSource null where the connection factory has a URL of its own
 * @param transactionManagers all of the application's
 */
public record MessageDatabase(DataSource dataSource, List<PlatformTransactionManager> transactionManagers) {

    /** A connection factory for it, with the options of the environment. */
    ReadpastConnectionFactory connectionFactory(Environment environment) {
        ReadpastConnectionFactory factory =
                dataSource == null ? new ReadpastConnectionFactory() : new ReadpastConnectionFactory(dataSource);
        MessageOptions.set(factory, environment);
        return factory;
    }

    /** The transaction manager of the DataSource, for plain JDBC or JPA; none where there are several or it is of something else. */
    private Optional<PlatformTransactionManager> transactionManager() {
        List<PlatformTransactionManager> of = transactionManagers.stream()
                .filter(manager -> TransactionManagers.isOf(manager, dataSource))
                .toList();
        return of.size() == 1 ? Optional.of(of.get(0)) : Optional.empty();
    }

    /**
     * Makes containers of listeners that are called in the transactions of this database, if it has a transaction manager.
     *
     * @param configurer Boot's own, which has what {@code spring.jms} says
     */
    public ReadpastJmsListenerContainerFactory listenerContainerFactory(
            ReadpastConnectionFactory connectionFactory,
            BiConsumer<DefaultJmsListenerContainerFactory, ConnectionFactory> configurer) {
        ReadpastJmsListenerContainerFactory factory = new ReadpastJmsListenerContainerFactory();
        configurer.accept(factory, connectionFactory);
        transactionManager().ifPresent(factory::setTransactionManager);
        return factory;
    }
}
