package org.readpast.spring.boot;

import jakarta.jms.ConnectionFactory;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.spring.ReadpastJmsListenerContainerFactory;
import org.readpast.spring.TransactionManagers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Where the messages are, and who ends the transactions there.
 *
 * @param dataSource null where the connection factory has a URL of its own
 * @param beans has the transaction managers, which are looked for when listeners need one: they, or what they are made of, may need the
 *     connection factory
 */
public record MessageDatabase(DataSource dataSource, ListableBeanFactory beans) {

    private static final Logger LOG = LoggerFactory.getLogger(MessageDatabase.class);

    /** A connection factory for it, with the options of the environment. */
    ReadpastConnectionFactory connectionFactory(Environment environment) {
        ReadpastConnectionFactory factory =
                dataSource == null ? new ReadpastConnectionFactory() : new ReadpastConnectionFactory(dataSource);
        MessageOptions.set(factory, environment);
        return factory;
    }

    /** The transaction manager of the DataSource, for plain JDBC or JPA; of several the primary one. None where it is of something else. */
    private Optional<PlatformTransactionManager> transactionManager() {
        // What is injected leaves out those that are no default candidates, as one of a second DataSource is.
        List<PlatformTransactionManager> of =
                BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, PlatformTransactionManager.class, false, true)
                        .values()
                        .stream()
                        .filter(manager -> TransactionManagers.isOf(manager, dataSource))
                        .toList();
        PlatformTransactionManager first =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        if (of.isEmpty() && dataSource != null) {
            LOG.info(
                    "No transaction manager is of the DataSource that has the messages: without JTA each message has a transaction of its own,"
                            + " which what its listener writes is not in.");
        }
        if (of.size() > 1 && !of.contains(first)) {
            LOG.warn(
                    "There are several transaction managers of the DataSource that has the messages, and none of them is primary: listeners"
                            + " are called without a transaction of it. Mark the one that they are to have with @Primary.");
        }
        return of.size() == 1
                ? Optional.of(of.get(0))
                : Optional.ofNullable(first).filter(of::contains);
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
