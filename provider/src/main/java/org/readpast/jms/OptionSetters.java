package org.readpast.jms;

import org.readpast.jms.config.Option;

/**
 * A setter for each option, as containers need it that configure a connection factory as a bean. Values are text. Each setter throws
 * {@link IllegalArgumentException} if the option does not accept the value, and {@link IllegalStateException} after first use.
 * docs/configuration.md has the defaults and which values are accepted.
 */
public abstract sealed class OptionSetters permits FactoryProperties {

    OptionSetters() {}

    /** Sets an option by its name, as {@link FactoryProperties#setProperty} says. */
    public abstract void setProperty(String name, String value);

    /** Sets the option {@code user}: the database's user. Without one, what the URL or the DataSource says. */
    public void setUser(String user) {
        setProperty(Option.USER.key(), user);
    }

    /** Sets the option {@code user}, in the words of ActiveMQ. */
    public void setUserName(String userName) {
        setUser(userName);
    }

    /** Sets the option {@code password}: the user's password. */
    public void setPassword(String password) {
        setProperty(Option.PASSWORD.key(), password);
    }

    /**
     * Sets the option {@code clientId}: the JMS client id of every connection of this factory. Only one connection at a time can then be
     * open.
     */
    public void setClientId(String clientId) {
        setProperty(Option.CLIENT_ID.key(), clientId);
    }

    /** Sets the same option as {@link #setClientId}, in the words of ActiveMQ. */
    public void setClientID(String clientID) {
        setClientId(clientID);
    }

    /** Sets the option {@code schema}: the database schema that holds the message tables. */
    public void setSchema(String schema) {
        setProperty(Option.SCHEMA.key(), schema);
    }

    /**
     * Sets the option {@code createSchema}: whether to make the schema's tables, or bring them up to date, at the first connection. Without
     * a value: yes on H2, no elsewhere.
     */
    public void setCreateSchema(String createSchema) {
        setProperty(Option.CREATE_SCHEMA.key(), createSchema);
    }

    /**
     * Sets the option {@code verifyCommit}: whether each commit and send leaves a row in the database, by which the provider finds out what
     * came of it where the connection breaks before the answer. Without a value: by the transaction's status on PostgreSQL, not at all
     * elsewhere; {@code false}: not at all.
     */
    public void setVerifyCommit(String verifyCommit) {
        setProperty(Option.VERIFY_COMMIT.key(), verifyCommit);
    }

    /**
     * Sets the option {@code join}: whether sessions join the transaction that the application has open on its own SQL connection: AUTO
     * where there is one, ALWAYS (its absence is an error), NEVER.
     */
    public void setJoin(String join) {
        setProperty(Option.JOIN.key(), join);
    }

    /**
     * Sets the option {@code trustedPackages}: packages whose classes ObjectMessage.getObject may make, subpackages included, with commas
     * between them; {@code *} trusts all. Values and collections of the JDK that are commonly sent are always trusted.
     */
    public void setTrustedPackages(String trustedPackages) {
        setProperty(Option.TRUSTED_PACKAGES.key(), trustedPackages);
    }

    /** Sets the option {@code objectBytes}: the longest serialized object, in bytes, that ObjectMessage.getObject reads. */
    public void setObjectBytes(String objectBytes) {
        setProperty(Option.OBJECT_BYTES.key(), objectBytes);
    }

    /** Sets the option {@code objectDepth}: how deep objects may be nested in each other for ObjectMessage.getObject to read them. */
    public void setObjectDepth(String objectDepth) {
        setProperty(Option.OBJECT_DEPTH.key(), objectDepth);
    }

    /**
     * Sets the option {@code objectReferences}: how many objects ObjectMessage.getObject reads in one message. It also limits for how many
     * objects hash tables may compute hash codes, where an object that is in several tables counts each time, and, times 50, how many they
     * may compare if all keys of a table have one hash code.
     */
    public void setObjectReferences(String objectReferences) {
        setProperty(Option.OBJECT_REFERENCES.key(), objectReferences);
    }

    /**
     * Sets the option {@code objectArrayElements}: how many elements all arrays together may have that ObjectMessage.getObject makes of one
     * message.
     */
    public void setObjectArrayElements(String objectArrayElements) {
        setProperty(Option.OBJECT_ARRAY_ELEMENTS.key(), objectArrayElements);
    }

    /**
     * Sets the option {@code autoCreate}: how many queues and topics a connection may bring into being by using them. {@code false}: none,
     * they must exist; {@code true}: no limit.
     */
    public void setAutoCreate(String autoCreate) {
        setProperty(Option.AUTO_CREATE.key(), autoCreate);
    }

    /** Sets the option {@code compositeMembers}: how many members a composite destination may have. */
    public void setCompositeMembers(String compositeMembers) {
        setProperty(Option.COMPOSITE_MEMBERS.key(), compositeMembers);
    }

    /**
     * Sets the option {@code compositeReplies}: whether a composite destination that came with a message, as its JMSReplyTo, may be sent
     * to.
     */
    public void setCompositeReplies(String compositeReplies) {
        setProperty(Option.COMPOSITE_REPLIES.key(), compositeReplies);
    }

    /**
     * Sets the option {@code trustUrl}: whether the URL may have the factory connect to a naming service, by a name such as
     * {@code ldap://...}, or have H2 run code. Cannot be given in the URL.
     */
    public void setTrustUrl(String trustUrl) {
        setProperty(Option.TRUST_URL.key(), trustUrl);
    }

    /**
     * Sets the option {@code poolSize}: how many SQL connections the factory's own pool may hold. Sessions need one only while they work or
     * have unacknowledged messages, never while they wait. Unused with a DataSource.
     */
    public void setPoolSize(String poolSize) {
        setProperty(Option.POOL_SIZE.key(), poolSize);
    }

    /**
     * Sets the option {@code poolTimeoutMillis}: how long an operation waits for a free SQL connection before it fails. Unused with a
     * DataSource.
     */
    public void setPoolTimeoutMillis(String poolTimeoutMillis) {
        setProperty(Option.POOL_TIMEOUT.key(), poolTimeoutMillis);
    }

    /**
     * Sets the option {@code idleCloseMillis}: how long the pool outlives the last JMS connection, so that opening one per message costs
     * nothing.
     */
    public void setIdleCloseMillis(String idleCloseMillis) {
        setProperty(Option.IDLE_CLOSE.key(), idleCloseMillis);
    }

    /**
     * Sets the option {@code closeTimeoutMillis}: how long closing waits for listeners that are running, for asynchronous sends with their
     * completion listeners, and for the database. Then it fails, and what is left of it is done in the background.
     */
    public void setCloseTimeoutMillis(String closeTimeoutMillis) {
        setProperty(Option.CLOSE_TIMEOUT.key(), closeTimeoutMillis);
    }

    /**
     * Sets the option {@code pollFloorMillis}: the shortest pause between two looks for new messages. Looks are this frequent while
     * messages come that neither PostgreSQL's NOTIFY nor datagrams announced. Looks that datagrams ask for and that find nothing keep this
     * pause too, but never one of more than 100 ms.
     */
    public void setPollFloorMillis(String pollFloorMillis) {
        setProperty(Option.POLL_FLOOR.key(), pollFloorMillis);
    }

    /**
     * Sets the option {@code pollCeilingMillis}: the longest pause between two looks for new messages, once nothing has come for a while.
     */
    public void setPollCeilingMillis(String pollCeilingMillis) {
        setProperty(Option.POLL_CEILING.key(), pollCeilingMillis);
    }

    /**
     * Sets the option {@code notification}: whether PostgreSQL's LISTEN/NOTIFY wakes waiting consumers of JVMs that datagrams do not reach.
     * Unused on other databases.
     */
    public void setNotification(String notification) {
        setProperty(Option.NOTIFICATION.key(), notification);
    }

    /**
     * Sets the option {@code datagrams}: whether this JVM wakes waiting consumers of others by UDP datagrams, and is woken by theirs.
     * Unused with an H2 database that other processes cannot connect to.
     */
    public void setDatagrams(String datagrams) {
        setProperty(Option.DATAGRAMS.key(), datagrams);
    }

    /** Sets the option {@code datagramAddress}: the IP address of this host on which datagrams are heard. Without a value: all. */
    public void setDatagramAddress(String datagramAddress) {
        setProperty(Option.DATAGRAM_ADDRESS.key(), datagramAddress);
    }

    /**
     * Sets the option {@code datagramAdvertised}: the IP addresses that others are told to send datagrams to, up to four with commas
     * between them, as where addresses are translated. Without a value: {@code datagramAddress}, or those of this host.
     */
    public void setDatagramAdvertised(String datagramAdvertised) {
        setProperty(Option.DATAGRAM_ADVERTISED.key(), datagramAdvertised);
    }

    /**
     * Sets the option {@code datagramPorts}: the UDP port on which datagrams are heard, or a range as in {@code 7400-7499}, of which the
     * first free one is taken; 0 is any.
     */
    public void setDatagramPorts(String datagramPorts) {
        setProperty(Option.DATAGRAM_PORTS.key(), datagramPorts);
    }

    /** Sets the option {@code claimAhead}: how many messages a CLIENT_ACKNOWLEDGE or transacted session may claim ahead of its consumer. */
    public void setClaimAhead(String claimAhead) {
        setProperty(Option.CLAIM_AHEAD.key(), claimAhead);
    }

    /**
     * Sets the option {@code receiveAheadMillis}: how long an AUTO_ACKNOWLEDGE session that receives one message right after the other may
     * keep the next one claimed; 0 claims none ahead. Unused with a DataSource.
     */
    public void setReceiveAheadMillis(String receiveAheadMillis) {
        setProperty(Option.RECEIVE_AHEAD.key(), receiveAheadMillis);
    }

    /**
     * Sets the option {@code dupsOkBatch}: the most messages that a DUPS_OK_ACKNOWLEDGE session claims and acknowledges together; it claims
     * fewer where it does not get through them in 50 ms.
     */
    public void setDupsOkBatch(String dupsOkBatch) {
        setProperty(Option.DUPS_OK_BATCH.key(), dupsOkBatch);
    }

    /**
     * Sets the option {@code outboxBytes}: how many bytes of sent messages, bodies and properties together, a transacted session holds back
     * until its commit. Beyond that they go to the database before the commit, in the same transaction.
     */
    public void setOutboxBytes(String outboxBytes) {
        setProperty(Option.OUTBOX_BYTES.key(), outboxBytes);
    }

    /**
     * Sets the option {@code maxInlineBody}: bodies of up to this many bytes travel with their message; larger ones are read in
     * pieces.
     */
    public void setMaxInlineBody(String maxInlineBody) {
        setProperty(Option.MAX_INLINE_BODY.key(), maxInlineBody);
    }

    /**
     * Sets the option {@code maxBodyBytes}: the longest body that is sent, and that is read: a message with a longer one becomes a dead
     * letter. In bytes as the database stores them; text on SQL Server takes two for a character.
     */
    public void setMaxBodyBytes(String maxBodyBytes) {
        setProperty(Option.MAX_BODY.key(), maxBodyBytes);
    }

    /**
     * Sets the option {@code maxPropertiesLength}: the longest properties that are sent, and that are read: a message with longer ones
     * becomes a dead letter. In characters of JSON, together with headers that fit no column.
     */
    public void setMaxPropertiesLength(String maxPropertiesLength) {
        setProperty(Option.MAX_PROPERTIES.key(), maxPropertiesLength);
    }

    /**
     * Sets the option {@code duplicateWindowMillis}: how long a message with the property {@code _AMQ_DUPL_ID} keeps out another one with
     * the same value that is sent to the same destination; 0 keeps out none.
     */
    public void setDuplicateWindowMillis(String duplicateWindowMillis) {
        setProperty(Option.DUPLICATE_WINDOW.key(), duplicateWindowMillis);
    }

    /**
     * Sets the option {@code removeExpired}: whether this JVM removes expired messages. {@code false} leaves them to the others, for a
     * program that does not know where the applications have them go; while it runs alone they stay.
     */
    public void setRemoveExpired(String removeExpired) {
        setProperty(Option.REMOVE_EXPIRED.key(), removeExpired);
    }

    /**
     * Sets the option {@code recoveryDelayMillis}: how long a listener waits before it tries again after the database went away; a
     * ConnectionConsumer also after its ServerSessionPool failed.
     */
    public void setRecoveryDelayMillis(String recoveryDelayMillis) {
        setProperty(Option.RECOVERY_DELAY.key(), recoveryDelayMillis);
    }

    /**
     * Sets the option {@code recoveryCeilingMillis}: what the wait of {@code recoveryDelayMillis} grows to while the database stays away.
     */
    public void setRecoveryCeilingMillis(String recoveryCeilingMillis) {
        setProperty(Option.RECOVERY_CEILING.key(), recoveryCeilingMillis);
    }

    /**
     * Sets the option {@code redelivery.maximumDeliveries}: after this many deliveries that were not acknowledged a message becomes a dead
     * letter; 0 is no limit.
     */
    public void setRedeliveryMaximumDeliveries(String redeliveryMaximumDeliveries) {
        setProperty(Option.MAXIMUM_DELIVERIES.key(), redeliveryMaximumDeliveries);
    }

    /**
     * Sets the option {@code redelivery.delayMillis}: how long a message waits before its second delivery. Others are delivered meanwhile.
     */
    public void setRedeliveryDelayMillis(String redeliveryDelayMillis) {
        setProperty(Option.REDELIVERY_DELAY.key(), redeliveryDelayMillis);
    }

    /** Sets the option {@code redelivery.multiplier}: by what factor the wait before a redelivery grows with each one. */
    public void setRedeliveryMultiplier(String redeliveryMultiplier) {
        setProperty(Option.REDELIVERY_MULTIPLIER.key(), redeliveryMultiplier);
    }

    /** Sets the option {@code redelivery.ceilingMillis}: the longest wait before a redelivery. */
    public void setRedeliveryCeilingMillis(String redeliveryCeilingMillis) {
        setProperty(Option.REDELIVERY_CEILING.key(), redeliveryCeilingMillis);
    }

    /**
     * Sets the option {@code redelivery.jitter}: by what fraction the wait before a redelivery is made longer or shorter at random, so that
     * messages that failed together do not come back together.
     */
    public void setRedeliveryJitter(String redeliveryJitter) {
        setProperty(Option.REDELIVERY_JITTER.key(), redeliveryJitter);
    }

    /**
     * Sets the option {@code redelivery.deadLetterDestination}: the queue that dead letters go to; a {@code *} in it stands for the name of
     * the destination they come from, as in {@code DLQ.*}.
     */
    public void setRedeliveryDeadLetterDestination(String redeliveryDeadLetterDestination) {
        setProperty(Option.DEAD_LETTER_DESTINATION.key(), redeliveryDeadLetterDestination);
    }

    /**
     * Sets the option {@code expiry.destination}: the queue that expired messages go to; a {@code *} in it stands for the name of the
     * destination they come from. Without one they are purged. Set it alike in all JVMs: any of them may be the one that removes them,
     * but for those with {@code removeExpired=false}.
     */
    public void setExpiryDestination(String expiryDestination) {
        setProperty(Option.EXPIRY_DESTINATION.key(), expiryDestination);
    }

    /**
     * Sets the option {@code consumer.exclusive}: whether only one consumer at a time gets messages of a queue; when it closes or dies,
     * another one does. Set it alike wherever the queue is consumed.
     */
    public void setConsumerExclusive(String consumerExclusive) {
        setProperty(Option.EXCLUSIVE.key(), consumerExclusive);
    }

    /**
     * Sets the option {@code consumer.leaseSeconds}: for how long a consumer's claim holds a message without an open transaction, for
     * listeners that work for minutes. 0 claims by a lock instead, for as long as the transaction is open.
     */
    public void setConsumerLeaseSeconds(String consumerLeaseSeconds) {
        setProperty(Option.LEASE_SECONDS.key(), consumerLeaseSeconds);
    }
}
