package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.resource.spi.InvalidPropertyException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Beans keep the activation properties that they had for Artemis 2.44, ActiveMQ 5.16, WildFly's generic adapter 3.0, Message Queue 5.1 (that of
 * GlassFish and Payara) and GenericRA (their adapter for brokers of others), all of them.
 */
class ForeignPropertiesTest {

    private static ReadpastActivationSpec spec() {
        ReadpastActivationSpec spec = new ReadpastActivationSpec();
        spec.setDestination("orders");
        spec.setDestinationType("jakarta.jms.Queue");
        return spec;
    }

    /** By its name, as a server does it. */
    private static void set(ReadpastActivationSpec spec, String name, String value) throws Exception {
        PropertyDescriptor property = Arrays.stream(
                        Introspector.getBeanInfo(spec.getClass()).getPropertyDescriptors())
                .filter(each -> each.getName().equals(name) && each.getWriteMethod() != null)
                .findFirst()
                .orElseThrow(() -> new AssertionError("No property " + name));
        property.getWriteMethod().invoke(spec, value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Artemis.
                "DLQHandler",
                "DLQJNDIName",
                "DLQMaxResent",
                "HA",
                "allowLocalTransactions",
                "autoGroup",
                "blockOnAcknowledge",
                "blockOnDurableSend",
                "blockOnNonDurableSend",
                "cacheDestinations",
                "cacheLargeMessagesClient",
                "callFailoverTimeout",
                "callTimeout",
                "clientFailureCheckPeriod",
                "compressLargeMessage",
                "compressionLevel",
                "confirmationWindowSize",
                "connectionLoadBalancingPolicyClassName",
                "connectionParameters",
                "connectionTTL",
                "connectorClassName",
                "consumerWindowSize",
                "discoveryAddress",
                "discoveryInitialWaitTimeout",
                "discoveryLocalBindAddress",
                "discoveryPort",
                "discoveryRefreshTimeout",
                "dupsOKBatchSize",
                "failoverOnInitialConnection",
                "groupID",
                "initialConnectAttempts",
                "initialMessagePacketSize",
                "jgroupsChannelName",
                "jgroupsFile",
                "jndiParams",
                "keepAlive",
                "keepAliveMillis",
                "maxMessages",
                "maxRetryInterval",
                "minLargeMessageSize",
                "minSession",
                "producerMaxRate",
                "producerWindowSize",
                "protocolManagerFactoryStr",
                "providerAdapterJNDI",
                "rebalanceConnections",
                "reconnectAttempts",
                "reconnectInterval",
                "retryInterval",
                "retryIntervalMultiplier",
                "scheduledThreadPoolMaxSize",
                "setupAttempts",
                "setupInterval",
                "singleConnection",
                "threadPoolMaxSize",
                "transactionBatchSize",
                "useDLQ",
                "useGlobalPools",
                "useLocalTx",
                // ActiveMQ.
                "enableBatch",
                "keyStore",
                "keyStoreKeyPassword",
                "keyStorePassword",
                "maxMessagesPerBatch",
                "maxMessagesPerSessions",
                "trustStore",
                "trustStorePassword",
                "useRAManagedTransaction",
                // WildFly's generic adapter.
                "connectionFactory",
                "forceClearAttempts",
                "forceClearOnShutdown",
                "forceClearOnShutdownInterval",
                "jndiParameters",
                // Message Queue.
                "addressList",
                "addressListBehavior",
                "addressListIterations",
                "endpointPoolResizeCount",
                "endpointPoolResizeTimeout",
                "endpointPoolSteadySize",
                "mdbName",
                "reconnectEnabled",
                // GenericRA.
                "ackTimeOut",
                "applicationName",
                "batchSize",
                "commonSetterMethodName",
                "connectionFactoryClassName",
                "connectionFactoryJndiName",
                "connectionFactoryProperties",
                "deadMessageConnectionFactoryJndiName",
                "deadMessageConnectionFactoryProperties",
                "deadMessageDestinationClassName",
                "deadMessageDestinationType",
                "deliveryType",
                "endpointReleaseTimeout",
                "jndiProperties",
                "loadBalancingRequired",
                "maxWaitTime",
                "providerIntegrationMode",
                "queueClassName",
                "queueConnectionFactoryClassName",
                "RMPolicy",
                "sendBadMessagesToDMD",
                "supportsXA",
                "topicClassName",
                "topicConnectionFactoryClassName",
                "unifiedDestinationClassName",
                "XAConnectionFactoryClassName",
                "XAQueueConnectionFactoryClassName",
                "XATopicConnectionFactoryClassName"
            })
    void property_that_tunes_the_way_to_a_broker_means_nothing(String name) throws Exception {
        ReadpastActivationSpec spec = spec();
        set(spec, name, "5");
        set(spec, name, "true");
        set(spec, name, "");
        assertThatCode(spec::validate).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        // Artemis.
        "consumerMaxRate, 10, maxSession",
        "deserializationAllowList, com.example, trustedPackages",
        "deserializationBlackList, com.example, trustedPackages",
        "deserializationDenyList, com.example, trustedPackages",
        "deserializationWhiteList, com.example, trustedPackages",
        "enable1xPrefixes, true, 'destination'",
        "enableSharedClientID, true, 'shareSubscriptions'",
        "preAcknowledge, true, commits",
        "queuePrefix, jms.queue., 'destination'",
        "topicPrefix, jms.topic., 'destination'",
        "transactionTimeout, 600, time-out",
        "transactionTimeout, PT5M, time-out",
        // ActiveMQ.
        "backOffMultiplier, 2.0, redelivery.multiplier",
        "initialRedeliveryDelay, 1000, redelivery.delayMillis",
        "maximumRedeliveries, 3, redelivery.maximumDeliveries",
        "maximumRedeliveryDelay, 60000, redelivery.ceilingMillis",
        "noLocal, true, messageSelector",
        "useExponentialBackOff, true, redelivery.multiplier",
        // Message Queue.
        "customAcknowledgeMode, No_acknowledge, commits",
        "endpointExceptionRedeliveryAttempts, 3, redelivery.maximumDeliveries",
        "endpointExceptionRedeliveryInterval, 500, redelivery.delayMillis",
        "options, imqAddressListBehavior=PRIORITY, leave it out",
        "sendUndeliverableMsgsToDMQ, false, redelivery.maximumDeliveries",
        "subscriptionScope, Instance, 'shareSubscriptions'",
        "useSharedSubscriptionInClusteredContainer, true, 'shareSubscriptions'",
        // GenericRA.
        "HUAMode, true, commits",
        "deadMessageDestinationJndiName, jms/Dead, redelivery.deadLetterDestination",
        "deadMessageDestinationProperties, PhysicalName=dead, redelivery.deadLetterDestination",
        "deadMessageJndiName, jms/Dead, redelivery.deadLetterDestination",
        "deliveryConcurrencyMode, serial, 'maxSession'",
        "destinationProperties, PhysicalName=orders, 'destination'",
        "instanceCount, 3, 'shareSubscriptions'",
        "redeliveryAttempts, 3, redelivery.maximumDeliveries",
        "redeliveryInterval, 10, redelivery.delayMillis",
        "shareClientid, true, 'shareSubscriptions'"
    })
    void property_that_changes_what_is_received_is_refused_with_what_to_set(String name, String value, String instead)
            throws Exception {
        ReadpastActivationSpec spec = spec();
        set(spec, name, value);
        assertThatThrownBy(spec::validate)
                .isInstanceOf(InvalidPropertyException.class)
                .hasMessageContaining("Property '" + name + "' is '" + value + "'")
                .hasMessageContaining(instead);
    }

    @ParameterizedTest
    @CsvSource({
        "consumerMaxRate, -1",
        "deserializationAllowList, ''",
        "deserializationDenyList, ''",
        "enable1xPrefixes, false",
        "enableSharedClientID, false",
        "HUAMode, false",
        "instanceCount, 1",
        "instanceCount, ''",
        "redeliveryAttempts, 0",
        "shareClientid, false",
        "maximumRedeliveries, ''",
        "noLocal, false",
        "preAcknowledge, false",
        "queuePrefix, ''",
        "sendUndeliverableMsgsToDMQ, true",
        "transactionTimeout, 0",
        "transactionTimeout, ''",
        "useExponentialBackOff, false"
    })
    void value_with_which_such_a_property_changes_nothing_is_passed_over(String name, String value) throws Exception {
        ReadpastActivationSpec spec = spec();
        set(spec, name, value);
        assertThatCode(spec::validate).doesNotThrowAnyException();
    }

    /** One that is to get its messages one after the other would not. */
    @ParameterizedTest
    @ValueSource(strings = {"maxSessions", "endpointPoolMaxSize", "maxPoolSize"})
    void how_many_are_delivered_side_by_side_is_set_in_other_words(String name) throws Exception {
        ReadpastActivationSpec spec = spec();
        set(spec, name, "1");
        assertThat(spec.getMaxSession()).isEqualTo("1");
    }

    @Test
    void destination_is_looked_up_by_the_name_that_GenericRA_has_for_it() throws Exception {
        ReadpastActivationSpec spec = spec();
        set(spec, "destinationJndiName", "jms/Orders");
        assertThat(spec.getDestinationLookup()).isEqualTo("jms/Orders");
    }

    /** In ActiveMQ's spelling. */
    @Test
    void destination_is_a_name_in_JNDI_where_another_adapter_says_so() throws Exception {
        ReadpastActivationSpec spec = spec();
        set(spec, "useJndi", "true");
        assertThat(spec.getUseJNDI()).isEqualTo("true");
    }
}
