package org.readpast.ra;

/**
 * Activation properties of other adapters, so that an application that has them is deployed as it is: all those of Artemis 2.44, ActiveMQ
 * 5.16, WildFly's generic adapter 3.0, Message Queue 5.1, which is GlassFish's and Payara's own broker, and GenericRA, their adapter for brokers of
 * others. Those that only tune how the other one
 * gets its messages mean nothing here. Those that would change what is received, or what becomes of it, are refused by
 * {@link ReadpastActivationSpec#validate}, unless they have a value that does not.
 */
@SuppressWarnings("unused")
public abstract class ForeignProperties extends DatabaseProperties {

    private static final long serialVersionUID = 1L;

    /** The first property that cannot be passed over, with its value and what to do. */
    private String refusal;

    ForeignProperties() {}

    /** Null if there is nothing to refuse. */
    String refusal() {
        return refusal;
    }

    private void refuse(String name, String value, String instead) {
        if (refusal == null && unlessBlank(value) != null) {
            refusal = "Property '" + name + "' is '" + value + "', which has no counterpart: " + instead;
        }
    }

    private void refuseIfTrue(String name, String value, String instead) {
        if (Boolean.parseBoolean(value)) {
            refuse(name, value, instead);
        }
    }

    private void refuseIfFalse(String name, String value, String instead) {
        if ("false".equalsIgnoreCase(value)) {
            refuse(name, value, instead);
        }
    }

    private void refuseIfPositive(String name, String value, String instead) {
        String number = unlessBlank(value);
        if (number != null && !number.matches("0|-[0-9]+")) {
            refuse(name, number, instead);
        }
    }

    /** Of Artemis: means nothing here. */
    public void setSetupAttempts(String setupAttempts) {}

    /** Of Artemis: means nothing here. */
    public void setSetupInterval(String setupInterval) {}

    /** Of Artemis: means nothing here. */
    public void setReconnectAttempts(String reconnectAttempts) {}

    /** Of Artemis: means nothing here. */
    public void setRebalanceConnections(String rebalanceConnections) {}

    /** Of Artemis: means nothing here. */
    public void setHA(String ha) {}

    /** Of Artemis: means nothing here. */
    public void setSingleConnection(String singleConnection) {}

    /** Of Artemis: means nothing here. */
    public void setConnectorClassName(String connectorClassName) {}

    /** Of Artemis: means nothing here. */
    public void setConnectionParameters(String connectionParameters) {}

    /** Of Artemis: means nothing here. */
    public void setJndiParams(String jndiParams) {}

    /** Of Artemis: means nothing here. */
    public void setUseLocalTx(String useLocalTx) {}

    /** Of Artemis: means nothing here. */
    public void setAllowLocalTransactions(String allowLocalTransactions) {}

    /** Of Artemis: means nothing here. */
    public void setMaxMessages(String maxMessages) {}

    /** Of Artemis: means nothing here. */
    public void setKeepAlive(String keepAlive) {}

    /** Of Artemis: means nothing here. */
    public void setKeepAliveMillis(String keepAliveMillis) {}

    /** Of Artemis: means nothing here. */
    public void setProviderAdapterJNDI(String providerAdapterJNDI) {}

    /** Of Artemis: means nothing there either. */
    public void setUseDLQ(String useDLQ) {}

    /** Of Artemis: means nothing there either. */
    public void setDLQJNDIName(String dlqName) {}

    /** Of Artemis: means nothing there either. */
    public void setDLQHandler(String dlqHandler) {}

    /** Of Artemis: means nothing there either. */
    public void setDLQMaxResent(String dlqMaxResent) {}

    /** Of Artemis: means nothing here. */
    public void setAutoGroup(String autoGroup) {}

    /** Of Artemis: means nothing here. */
    public void setBlockOnAcknowledge(String blockOnAcknowledge) {}

    /** Of Artemis: means nothing here. */
    public void setBlockOnDurableSend(String blockOnDurableSend) {}

    /** Of Artemis: means nothing here. */
    public void setBlockOnNonDurableSend(String blockOnNonDurableSend) {}

    /** Of Artemis: means nothing here. */
    public void setCacheDestinations(String cacheDestinations) {}

    /** Of Artemis: means nothing here. */
    public void setCacheLargeMessagesClient(String cacheLargeMessagesClient) {}

    /** Of Artemis: means nothing here. */
    public void setCallFailoverTimeout(String callFailoverTimeout) {}

    /** Of Artemis: means nothing here. */
    public void setCallTimeout(String callTimeout) {}

    /** Of Artemis: means nothing here. */
    public void setClientFailureCheckPeriod(String clientFailureCheckPeriod) {}

    /** Of Artemis: means nothing here. */
    public void setCompressLargeMessage(String compressLargeMessage) {}

    /** Of Artemis: means nothing here. */
    public void setCompressionLevel(String compressionLevel) {}

    /** Of Artemis: means nothing here. */
    public void setConfirmationWindowSize(String confirmationWindowSize) {}

    /** Of Artemis: means nothing here. */
    public void setConnectionLoadBalancingPolicyClassName(String connectionLoadBalancingPolicyClassName) {}

    /** Of Artemis: means nothing here. */
    public void setConnectionTTL(String connectionTTL) {}

    /** Of Artemis: means nothing here. */
    public void setConsumerWindowSize(String consumerWindowSize) {}

    /** Of Artemis: means nothing here. */
    public void setDiscoveryAddress(String discoveryAddress) {}

    /** Of Artemis: means nothing here. */
    public void setDiscoveryInitialWaitTimeout(String discoveryInitialWaitTimeout) {}

    /** Of Artemis: means nothing here. */
    public void setDiscoveryLocalBindAddress(String discoveryLocalBindAddress) {}

    /** Of Artemis: means nothing here. */
    public void setDiscoveryPort(String discoveryPort) {}

    /** Of Artemis: means nothing here. */
    public void setDiscoveryRefreshTimeout(String discoveryRefreshTimeout) {}

    /** Of Artemis: means nothing here. */
    public void setDupsOKBatchSize(String dupsOKBatchSize) {}

    /** Of Artemis: means nothing here. */
    public void setFailoverOnInitialConnection(String failoverOnInitialConnection) {}

    /** Of Artemis: means nothing here. */
    public void setGroupID(String groupID) {}

    /** Of Artemis: means nothing here. */
    public void setInitialConnectAttempts(String initialConnectAttempts) {}

    /** Of Artemis: means nothing here. */
    public void setInitialMessagePacketSize(String initialMessagePacketSize) {}

    /** Of Artemis: means nothing here. */
    public void setJgroupsChannelName(String jgroupsChannelName) {}

    /** Of Artemis: means nothing here. */
    public void setJgroupsFile(String jgroupsFile) {}

    /** Of Artemis: means nothing here. */
    public void setMaxRetryInterval(String maxRetryInterval) {}

    /** Of Artemis: means nothing here. */
    public void setMinLargeMessageSize(String minLargeMessageSize) {}

    /** Of Artemis: means nothing here. */
    public void setProducerMaxRate(String producerMaxRate) {}

    /** Of Artemis: means nothing here. */
    public void setProducerWindowSize(String producerWindowSize) {}

    /** Of Artemis: means nothing here. */
    public void setProtocolManagerFactoryStr(String protocolManagerFactoryStr) {}

    /** Of Artemis: means nothing here. */
    public void setRetryInterval(String retryInterval) {}

    /** Of Artemis: means nothing here. */
    public void setRetryIntervalMultiplier(String retryIntervalMultiplier) {}

    /** Of Artemis: means nothing here. */
    public void setScheduledThreadPoolMaxSize(String scheduledThreadPoolMaxSize) {}

    /** Of Artemis: means nothing here. */
    public void setThreadPoolMaxSize(String threadPoolMaxSize) {}

    /** Of Artemis: means nothing here. */
    public void setTransactionBatchSize(String transactionBatchSize) {}

    /** Of Artemis: means nothing here. */
    public void setUseGlobalPools(String useGlobalPools) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setReconnectInterval(String reconnectInterval) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setJndiParameters(String jndiParameters) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setConnectionFactory(String connectionFactory) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setMinSession(String minSession) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setForceClearOnShutdown(String forceClearOnShutdown) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setForceClearOnShutdownInterval(String forceClearOnShutdownInterval) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setForceClearAttempts(String forceClearAttempts) {}

    /** Of ActiveMQ: means nothing here. */
    public void setMaxMessagesPerSessions(String maxMessagesPerSessions) {}

    /** Of ActiveMQ: one message a transaction is what is delivered here. */
    public void setEnableBatch(String enableBatch) {}

    /** Of ActiveMQ: means nothing here. */
    public void setMaxMessagesPerBatch(String maxMessagesPerBatch) {}

    /** Of ActiveMQ: means nothing here. */
    public void setUseRAManagedTransaction(String useRAManagedTransaction) {}

    /** Of ActiveMQ: means nothing here. */
    public void setKeyStore(String keyStore) {}

    /** Of ActiveMQ: means nothing here. */
    public void setKeyStorePassword(String keyStorePassword) {}

    /** Of ActiveMQ: means nothing here. */
    public void setKeyStoreKeyPassword(String keyStoreKeyPassword) {}

    /** Of ActiveMQ: means nothing here. */
    public void setTrustStore(String trustStore) {}

    /** Of ActiveMQ: means nothing here. */
    public void setTrustStorePassword(String trustStorePassword) {}

    /** Of Message Queue: means nothing here. */
    public void setAddressList(String addressList) {}

    /** Of Message Queue: means nothing here. */
    public void setAddressListBehavior(String addressListBehavior) {}

    /** Of Message Queue: means nothing here. */
    public void setAddressListIterations(String addressListIterations) {}

    /** Of Message Queue: means nothing here. */
    public void setReconnectEnabled(String reconnectEnabled) {}

    /** Of Message Queue: means nothing here. */
    public void setEndpointPoolSteadySize(String endpointPoolSteadySize) {}

    /** Of Message Queue: means nothing here. */
    public void setEndpointPoolResizeCount(String endpointPoolResizeCount) {}

    /** Of Message Queue: means nothing here. */
    public void setEndpointPoolResizeTimeout(String endpointPoolResizeTimeout) {}

    /** Of Message Queue: means nothing here. */
    public void setMdbName(String mdbName) {}

    /** Of GenericRA: means nothing here. */
    public void setAckTimeOut(String ackTimeOut) {}

    /** Of GenericRA: means nothing here. */
    public void setApplicationName(String applicationName) {}

    /** Of GenericRA: means nothing here. */
    public void setBatchSize(String batchSize) {}

    /** Of GenericRA: means nothing here. */
    public void setCommonSetterMethodName(String commonSetterMethodName) {}

    /** Of GenericRA: means nothing here. */
    public void setConnectionFactoryClassName(String connectionFactoryClassName) {}

    /** Of GenericRA: means nothing here. */
    public void setConnectionFactoryJndiName(String connectionFactoryJndiName) {}

    /** Of GenericRA: means nothing here. */
    public void setConnectionFactoryProperties(String connectionFactoryProperties) {}

    /** Of GenericRA: means nothing here. */
    public void setDeadMessageConnectionFactoryJndiName(String deadMessageConnectionFactoryJndiName) {}

    /** Of GenericRA: means nothing here. */
    public void setDeadMessageConnectionFactoryProperties(String deadMessageConnectionFactoryProperties) {}

    /** Of GenericRA: means nothing here. */
    public void setDeadMessageDestinationClassName(String deadMessageDestinationClassName) {}

    /** Of GenericRA: means nothing here. */
    public void setDeadMessageDestinationType(String deadMessageDestinationType) {}

    /** Of GenericRA: means nothing here. */
    public void setDeliveryType(String deliveryType) {}

    /** Of GenericRA: means nothing here. */
    public void setEndpointReleaseTimeout(String endpointReleaseTimeout) {}

    /** Of GenericRA: means nothing here. */
    public void setJndiProperties(String jndiProperties) {}

    /** Of GenericRA: means nothing here. */
    public void setLoadBalancingRequired(String loadBalancingRequired) {}

    /** Of GenericRA: means nothing here. */
    public void setMaxWaitTime(String maxWaitTime) {}

    /** Of GenericRA: means nothing here. */
    public void setProviderIntegrationMode(String providerIntegrationMode) {}

    /** Of GenericRA: means nothing here. */
    public void setQueueClassName(String queueClassName) {}

    /** Of GenericRA: means nothing here. */
    public void setQueueConnectionFactoryClassName(String queueConnectionFactoryClassName) {}

    /** Of GenericRA: means nothing here. */
    public void setRMPolicy(String policy) {}

    /** Of GenericRA: means nothing here. */
    public void setSendBadMessagesToDMD(String send) {}

    /** Of GenericRA: means nothing here. */
    public void setSupportsXA(String supportsXA) {}

    /** Of GenericRA: means nothing here. */
    public void setTopicClassName(String topicClassName) {}

    /** Of GenericRA: means nothing here. */
    public void setTopicConnectionFactoryClassName(String topicConnectionFactoryClassName) {}

    /** Of GenericRA: means nothing here. */
    public void setUnifiedDestinationClassName(String unifiedDestinationClassName) {}

    /** Of GenericRA: means nothing here. */
    public void setXAConnectionFactoryClassName(String className) {}

    /** Of GenericRA: means nothing here. */
    public void setXAQueueConnectionFactoryClassName(String className) {}

    /** Of GenericRA: means nothing here. */
    public void setXATopicConnectionFactoryClassName(String className) {}

    /** Of Artemis and the generic JMS adapter: refused unless it is 0. */
    public void setTransactionTimeout(String transactionTimeout) {
        refuseIfPositive(
                "transactionTimeout",
                transactionTimeout,
                "leave it out, and set the transaction time-out of the server or of the bean");
    }

    /** Of Artemis: refused unless there is no limit. */
    public void setConsumerMaxRate(String consumerMaxRate) {
        refuseIfPositive(
                "consumerMaxRate",
                consumerMaxRate,
                "leave it out; 'maxSession' bounds how many messages are delivered side by side");
    }

    /** Of Artemis: refused where it is true, as a message comes again after a rollback here. */
    public void setPreAcknowledge(String preAcknowledge) {
        refuseIfTrue("preAcknowledge", preAcknowledge, "leave it out; a message is gone when its transaction commits");
    }

    /** Of Artemis: refused where it is true. */
    public void setEnableSharedClientID(String enableSharedClientID) {
        refuseIfTrue(
                "enableSharedClientID",
                enableSharedClientID,
                "leave it and 'clientId' out, and set 'shareSubscriptions' to 'true'");
    }

    /** Of Artemis: refused where it is true, as it changes which destination is meant. */
    public void setEnable1xPrefixes(String enable1xPrefixes) {
        refuseIfTrue("enable1xPrefixes", enable1xPrefixes, "write the whole name into 'destination'");
    }

    /** Of Artemis: refused, as it decides which objects can be read. */
    public void setDeserializationAllowList(String deserializationAllowList) {
        refuse("deserializationAllowList", deserializationAllowList, "set the option trustedPackages of the URL");
    }

    /** Of Artemis: refused, as it decides which objects can be read. */
    public void setDeserializationWhiteList(String deserializationWhiteList) {
        refuse("deserializationWhiteList", deserializationWhiteList, "set the option trustedPackages of the URL");
    }

    /** Of Artemis: refused, as it decides which objects can be read. */
    public void setDeserializationDenyList(String deserializationDenyList) {
        refuse(
                "deserializationDenyList",
                deserializationDenyList,
                "leave it out; none but those of the option trustedPackages of the URL are read");
    }

    /** Of Artemis: refused, as it decides which objects can be read. */
    public void setDeserializationBlackList(String deserializationBlackList) {
        refuse(
                "deserializationBlackList",
                deserializationBlackList,
                "leave it out; none but those of the option trustedPackages of the URL are read");
    }

    /** Of Artemis: refused, as it changes which queue is meant. */
    public void setQueuePrefix(String queuePrefix) {
        refuse("queuePrefix", queuePrefix, "write the whole name into 'destination'");
    }

    /** Of Artemis: refused, as it changes which topic is meant. */
    public void setTopicPrefix(String topicPrefix) {
        refuse("topicPrefix", topicPrefix, "write the whole name into 'destination'");
    }

    /** Of ActiveMQ: refused where it is true. */
    public void setNoLocal(String noLocal) {
        refuseIfTrue("noLocal", noLocal, "leave it out, and use a messageSelector");
    }

    /** Of ActiveMQ: refused. */
    public void setMaximumRedeliveries(String maximumRedeliveries) {
        refuse("maximumRedeliveries", maximumRedeliveries, "set the option redelivery.maximumDeliveries of the URL");
    }

    /** Of ActiveMQ: refused. */
    public void setInitialRedeliveryDelay(String initialRedeliveryDelay) {
        refuse("initialRedeliveryDelay", initialRedeliveryDelay, "set the option redelivery.delayMillis of the URL");
    }

    /** Of ActiveMQ: refused. */
    public void setMaximumRedeliveryDelay(String maximumRedeliveryDelay) {
        refuse("maximumRedeliveryDelay", maximumRedeliveryDelay, "set the option redelivery.ceilingMillis of the URL");
    }

    /** Of ActiveMQ: refused where it is true. */
    public void setUseExponentialBackOff(String useExponentialBackOff) {
        refuseIfTrue("useExponentialBackOff", useExponentialBackOff, "set the option redelivery.multiplier of the URL");
    }

    /** Of ActiveMQ: refused. */
    public void setBackOffMultiplier(String backOffMultiplier) {
        refuse("backOffMultiplier", backOffMultiplier, "set the option redelivery.multiplier of the URL");
    }

    /** Of Message Queue: refused, as a message comes again after a rollback here. */
    public void setCustomAcknowledgeMode(String customAcknowledgeMode) {
        refuse(
                "customAcknowledgeMode",
                customAcknowledgeMode,
                "leave it out; a message is gone when its transaction commits");
    }

    /** Of Message Queue: refused. */
    public void setEndpointExceptionRedeliveryAttempts(String endpointExceptionRedeliveryAttempts) {
        refuse(
                "endpointExceptionRedeliveryAttempts",
                endpointExceptionRedeliveryAttempts,
                "set the option redelivery.maximumDeliveries of the URL");
    }

    /** Of Message Queue: refused. */
    public void setEndpointExceptionRedeliveryInterval(String endpointExceptionRedeliveryInterval) {
        refuse(
                "endpointExceptionRedeliveryInterval",
                endpointExceptionRedeliveryInterval,
                "set the option redelivery.delayMillis of the URL");
    }

    /** Of Message Queue: refused where it is false, as there is a dead-letter queue here. */
    public void setSendUndeliverableMsgsToDMQ(String sendUndeliverableMsgsToDMQ) {
        refuseIfFalse(
                "sendUndeliverableMsgsToDMQ",
                sendUndeliverableMsgsToDMQ,
                "set the option redelivery.maximumDeliveries of the URL to 0, which is no limit");
    }

    /** Of Message Queue: refused. */
    public void setSubscriptionScope(String subscriptionScope) {
        refuse("subscriptionScope", subscriptionScope, "leave it out, and set 'shareSubscriptions' to 'true'");
    }

    /** Of Message Queue: refused where it is true. */
    public void setUseSharedSubscriptionInClusteredContainer(String useSharedSubscriptionInClusteredContainer) {
        refuseIfTrue(
                "useSharedSubscriptionInClusteredContainer",
                useSharedSubscriptionInClusteredContainer,
                "leave it out, and set 'shareSubscriptions' to 'true'");
    }

    /** Of Message Queue: refused, as any property may be in it. */
    public void setOptions(String options) {
        refuse("options", options, "leave it out, and set what is meant by its own property");
    }

    /** Of GenericRA: refused unless it is 0. */
    public void setRedeliveryAttempts(String redeliveryAttempts) {
        refuseIfPositive(
                "redeliveryAttempts", redeliveryAttempts, "set the option redelivery.maximumDeliveries of the URL");
    }

    /** Of GenericRA: refused unless it is 0. */
    public void setRedeliveryInterval(String redeliveryInterval) {
        refuseIfPositive("redeliveryInterval", redeliveryInterval, "set the option redelivery.delayMillis of the URL");
    }

    /** Of GenericRA: refused, as it says where dead letters go. */
    public void setDeadMessageDestinationJndiName(String deadMessageDestinationJndiName) {
        refuse(
                "deadMessageDestinationJndiName",
                deadMessageDestinationJndiName,
                "set the option redelivery.deadLetterDestination of the URL");
    }

    /** Of GenericRA: the same in other words. */
    public void setDeadMessageJndiName(String deadMessageJndiName) {
        refuse(
                "deadMessageJndiName",
                deadMessageJndiName,
                "set the option redelivery.deadLetterDestination of the URL");
    }

    /** Of GenericRA: refused, as it says where dead letters go. */
    public void setDeadMessageDestinationProperties(String deadMessageDestinationProperties) {
        refuse(
                "deadMessageDestinationProperties",
                deadMessageDestinationProperties,
                "set the option redelivery.deadLetterDestination of the URL");
    }

    /** Of GenericRA: refused, as the destination's name is in it, in words of another broker. */
    public void setDestinationProperties(String destinationProperties) {
        refuse("destinationProperties", destinationProperties, "write the name into 'destination'");
    }

    /** Of GenericRA: refused. */
    public void setDeliveryConcurrencyMode(String deliveryConcurrencyMode) {
        refuse(
                "deliveryConcurrencyMode",
                deliveryConcurrencyMode,
                "leave it out; 'maxSession' says how many messages are delivered side by side");
    }

    /** Of GenericRA: refused unless it is 1, as each of several servers would get a part of a topic's messages. */
    public void setInstanceCount(String instanceCount) {
        if (!"1".equals(unlessBlank(instanceCount))) {
            refuse("instanceCount", instanceCount, "leave it out, and set 'shareSubscriptions' to 'true'");
        }
    }

    /** Of GenericRA: refused where it is true. */
    public void setShareClientid(String shareClientid) {
        refuseIfTrue(
                "shareClientid", shareClientid, "leave it and 'clientId' out, and set 'shareSubscriptions' to 'true'");
    }

    /** Of GenericRA: refused where it is true, as the bean would say when its messages are gone. */
    public void setHUAMode(String mode) {
        refuseIfTrue("HUAMode", mode, "leave it out; a message is gone when its transaction commits");
    }
}
