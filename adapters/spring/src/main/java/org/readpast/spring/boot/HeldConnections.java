package org.readpast.spring.boot;

import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.spring.ReadpastMessageListenerContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.MessageListenerContainer;

/** Says once how many connections containers keep that begin the transaction before they wait: Spring's own, and some of ours. */
final class HeldConnections implements ApplicationListener<ApplicationReadyEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(HeldConnections.class);

    private final ObjectProvider<JmsListenerEndpointRegistry> registry;

    HeldConnections(ObjectProvider<JmsListenerEndpointRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        int held = registry.stream()
                .flatMap(containers -> containers.getListenerContainers().stream())
                .mapToInt(HeldConnections::heldBy)
                .sum();
        if (held > 0) {
            LOG.warn(
                    "Listeners in containers of Spring's own, over a connection factory around ours, or with a cache level below"
                            + " CACHE_CONSUMER, wait within a transaction of their transaction manager, and hold up to {} connections of"
                            + " its DataSource meanwhile. Those of a ReadpastJmsListenerContainerFactory over a"
                            + " ReadpastConnectionFactory, such as the bean jmsListenerContainerFactory, wait before the transaction"
                            + " and hold none.",
                    held);
        }
    }

    private static int heldBy(MessageListenerContainer container) {
        return container instanceof DefaultMessageListenerContainer polling
                        && !waitsBefore(polling)
                        && new DirectFieldAccessor(polling).getPropertyValue("transactionManager") != null
                ? polling.getMaxConcurrentConsumers()
                : 0;
    }

    /** A connection factory around ours has consumers of its own, which cannot, nor can one that is made for a single receive. */
    private static boolean waitsBefore(DefaultMessageListenerContainer polling) {
        return polling instanceof ReadpastMessageListenerContainer
                && polling.getCacheLevel() >= DefaultMessageListenerContainer.CACHE_CONSUMER
                && polling.getConnectionFactory() instanceof ReadpastConnectionFactory;
    }
}
