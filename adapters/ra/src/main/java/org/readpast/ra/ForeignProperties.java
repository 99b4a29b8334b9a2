package org.readpast.ra;

/**
 * Activation properties of other adapters, so that an application that has them is deployed as it is. Those that only tune how the other
 * one gets its messages mean nothing here. Those that would change what is received are refused, by {@link ReadpastActivationSpec#validate}.
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
        if (refusal == null) {
            refusal = "Property '" + name + "' is '" + value + "', which has no counterpart: " + instead;
        }
    }

    /** Of Artemis: means nothing here. */
    public void setSetupAttempts(String setupAttempts) {}

    /** Of Artemis: means nothing here. */
    public void setSetupInterval(String setupInterval) {}

    /** Of Artemis: means nothing here. */
    public void setReconnectAttempts(String reconnectAttempts) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setReconnectInterval(String reconnectInterval) {}

    /** Of Artemis: means nothing here. */
    public void setRebalanceConnections(String rebalanceConnections) {}

    /** Of Artemis: means nothing here. */
    public void setHA(String ha) {}

    /** Of Artemis: means nothing here. */
    public void setSingleConnection(String singleConnection) {}

    /** Of Artemis: means nothing here. */
    public void setConsumerWindowSize(String consumerWindowSize) {}

    /** Of Artemis: means nothing here. */
    public void setConnectorClassName(String connectorClassName) {}

    /** Of Artemis: means nothing here. */
    public void setConnectionParameters(String connectionParameters) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setJndiParameters(String jndiParameters) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setConnectionFactory(String connectionFactory) {}

    /** Of the generic JMS adapter: means nothing here. */
    public void setMinSession(String minSession) {}

    /** Of ActiveMQ: means nothing here. */
    public void setMaxMessagesPerSessions(String maxMessagesPerSessions) {}

    /** Of ActiveMQ: one message a transaction is what is delivered here. */
    public void setEnableBatch(String enableBatch) {}

    /** Of ActiveMQ: means nothing here. */
    public void setMaxMessagesPerBatch(String maxMessagesPerBatch) {}

    /** Of ActiveMQ: means nothing here. */
    public void setUseRAManagedTransaction(String useRAManagedTransaction) {}

    /** Of ActiveMQ: refused where it is true. */
    public void setNoLocal(String noLocal) {
        if (Boolean.parseBoolean(noLocal)) {
            refuse("noLocal", noLocal, "leave it out, and use a messageSelector");
        }
    }

    /** Of ActiveMQ: refused. */
    public void setMaximumRedeliveries(String maximumRedeliveries) {
        refuse("maximumRedeliveries", maximumRedeliveries, "set the option redelivery.maximumDeliveries of the URL");
    }

    /** Of ActiveMQ: refused. */
    public void setInitialRedeliveryDelay(String initialRedeliveryDelay) {
        refuse("initialRedeliveryDelay", initialRedeliveryDelay, "set the option redelivery.delayMillis of the URL");
    }

    /** Of Artemis: refused, as it changes which queue is meant. */
    public void setQueuePrefix(String queuePrefix) {
        refuse("queuePrefix", queuePrefix, "write the whole name into 'destination'");
    }

    /** Of Artemis: refused, as it changes which topic is meant. */
    public void setTopicPrefix(String topicPrefix) {
        refuse("topicPrefix", topicPrefix, "write the whole name into 'destination'");
    }
}
