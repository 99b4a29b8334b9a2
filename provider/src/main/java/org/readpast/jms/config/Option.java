package org.readpast.jms.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Every option there is, with its default and its meaning. The table in docs/configuration.md has one row for each, which a test
 * compares with {@link #row}.
 */
public enum Option {
    USER("user", "", "The database's user. Without one, what the URL or the DataSource says.", Accepts.anyText()),
    PASSWORD("password", "", "The user's password.", Accepts.anyText()),
    CLIENT_ID(
            "clientId",
            "",
            "The JMS client id of every connection of this factory. Only one connection at a time can then be open.",
            Accepts.name()),
    SCHEMA("schema", "readpast", "The database schema that holds the message tables.", Accepts.identifier()),
    CREATE_SCHEMA(
            "createSchema",
            "",
            "Whether to make the schema's tables, or bring them up to date, at the first connection."
                    + " Without a value: yes on H2, no elsewhere.",
            Accepts.flag()),
    VERIFY_COMMIT(
            "verifyCommit",
            "",
            "Whether each commit and send leaves a row in the database, by which the provider finds out what came of it where"
                    + " the connection breaks before the answer. Without a value: by the transaction's status on PostgreSQL,"
                    + " not at all elsewhere; `false`: not at all.",
            Accepts.flag()),
    JOIN(
            "join",
            "AUTO",
            "Whether sessions join the transaction that the application has open on its own SQL connection:"
                    + " AUTO where there is one, ALWAYS (its absence is an error), NEVER.",
            Accepts.joins()),
    TRUSTED_PACKAGES(
            "trustedPackages",
            "",
            "Packages whose classes ObjectMessage.getObject may make, subpackages included, with commas between them;"
                    + " `*` trusts all. Values and collections of the JDK that are commonly sent are always trusted.",
            Accepts.packages()),
    OBJECT_BYTES(
            "objectBytes",
            "67108864",
            "The longest serialized object, in bytes, that ObjectMessage.getObject reads.",
            Accepts.whole(0, Integer.MAX_VALUE)),
    OBJECT_DEPTH(
            "objectDepth",
            "200",
            "How deep objects may be nested in each other for ObjectMessage.getObject to read them.",
            Accepts.whole(1, 10_000)),
    OBJECT_REFERENCES(
            "objectReferences",
            "1000000",
            "How many objects ObjectMessage.getObject reads in one message. It also limits for how many objects hash tables may"
                    + " compute hash codes, where an object that is in several tables counts each time, and, times 50, how many"
                    + " they may compare if all keys of a table have one hash code.",
            Accepts.whole(1, 1_000_000_000)),
    OBJECT_ARRAY_ELEMENTS(
            "objectArrayElements",
            "16777216",
            "How many elements all arrays together may have that ObjectMessage.getObject makes of one message.",
            Accepts.whole(0, Integer.MAX_VALUE)),
    AUTO_CREATE(
            "autoCreate",
            "1000",
            "How many queues and topics a connection may bring into being by using them. `false`: none, they must exist; `true`:"
                    + " no limit.",
            Accepts.limit()),
    COMPOSITE_MEMBERS(
            "compositeMembers", "100", "How many members a composite destination may have.", Accepts.whole(1, 100_000)),
    COMPOSITE_REPLIES(
            "compositeReplies",
            "false",
            "Whether a composite destination that came with a message, as its JMSReplyTo, may be sent to.",
            Accepts.flag()),
    TRUST_URL(
            "trustUrl",
            "false",
            "Whether the URL may have the factory connect to a naming service, by a name such as `ldap://...`, or have H2 run"
                    + " code. Cannot be given in the URL.",
            Accepts.flag()),
    POOL_SIZE(
            "poolSize",
            "16",
            "How many SQL connections the factory's own pool may hold. Sessions need one only while they work or have"
                    + " unacknowledged messages, never while they wait. Unused with a DataSource.",
            Accepts.whole(2, 10_000)),
    POOL_TIMEOUT(
            "poolTimeoutMillis",
            "30000",
            "How long an operation waits for a free SQL connection before it fails. Unused with a DataSource.",
            Accepts.whole(250, 3_600_000)),
    IDLE_CLOSE(
            "idleCloseMillis",
            "30000",
            "How long the pool outlives the last JMS connection, so that opening one per message costs nothing.",
            Accepts.whole(0, 86_400_000)),
    CLOSE_TIMEOUT(
            "closeTimeoutMillis",
            "60000",
            "How long closing waits for listeners that are running, for asynchronous sends with their completion listeners, and for"
                    + " the database. Then it fails, and what is left of it is done in the background.",
            Accepts.whole(0, 86_400_000)),
    POLL_FLOOR(
            "pollFloorMillis",
            "10",
            "The shortest pause between two looks for new messages. Looks are this frequent while messages come that"
                    + " neither PostgreSQL's NOTIFY nor datagrams announced. Looks that datagrams ask for and that find nothing keep this pause too,"
                    + " but never one of more than 100 ms.",
            Accepts.whole(1, 3_600_000)),
    POLL_CEILING(
            "pollCeilingMillis",
            "250",
            "The longest pause between two looks for new messages, once nothing has come for a while.",
            Accepts.whole(1, 3_600_000)),
    NOTIFICATION(
            "notification",
            "true",
            "Whether PostgreSQL's LISTEN/NOTIFY wakes waiting consumers of JVMs that datagrams do not reach. Unused on other"
                    + " databases.",
            Accepts.flag()),
    DATAGRAMS(
            "datagrams",
            "true",
            "Whether this JVM wakes waiting consumers of others by UDP datagrams, and is woken by theirs. Unused with an H2"
                    + " database that other processes cannot connect to.",
            Accepts.flag()),
    DATAGRAM_ADDRESS(
            "datagramAddress",
            "",
            "The IP address of this host on which datagrams are heard. Without a value: all.",
            Accepts.addresses(1)),
    DATAGRAM_ADVERTISED(
            "datagramAdvertised",
            "",
            "The IP addresses that others are told to send datagrams to, up to four with commas between them, as where addresses"
                    + " are translated. Without a value: `datagramAddress`, or those of this host.",
            Accepts.addresses(4)),
    DATAGRAM_PORTS(
            "datagramPorts",
            "0",
            "The UDP port on which datagrams are heard, or a range as in `7400-7499`, of which the first free one is taken; 0"
                    + " is any.",
            Accepts.ports()),
    CLAIM_AHEAD(
            "claimAhead",
            "100",
            "How many messages a CLIENT_ACKNOWLEDGE or transacted session may claim ahead of its consumer.",
            Accepts.whole(1, 100_000)),
    RECEIVE_AHEAD(
            "receiveAheadMillis",
            "25",
            "How long an AUTO_ACKNOWLEDGE session that receives one message right after the other may keep the next one"
                    + " claimed; 0 claims none ahead. Unused with a DataSource.",
            Accepts.whole(0, 60_000)),
    DUPS_OK_BATCH(
            "dupsOkBatch",
            "100",
            "The most messages that a DUPS_OK_ACKNOWLEDGE session claims and acknowledges together; it claims fewer where it"
                    + " does not get through them in 50 ms.",
            Accepts.whole(1, 100_000)),
    OUTBOX_BYTES(
            "outboxBytes",
            "4194304",
            "How many bytes of sent messages, bodies and properties together, a transacted session holds back until its commit."
                    + " Beyond that they go to the database before the commit, in the same transaction.",
            Accepts.whole(0, 1L << 40)),
    MAX_INLINE_BODY(
            "maxInlineBody",
            "131072",
            "Bodies of up to this many bytes travel with their message; larger ones are read in pieces.",
            Accepts.whole(0, 1 << 30)),
    MAX_BODY(
            "maxBodyBytes",
            "67108864",
            "The longest body that is sent, and that is read: a message with a longer one becomes a dead letter. In bytes as the"
                    + " database stores them; text on SQL Server takes two for a character.",
            Accepts.whole(0, Integer.MAX_VALUE - 8)),
    MAX_PROPERTIES(
            "maxPropertiesLength",
            "1048576",
            "The longest properties that are sent, and that are read: a message with longer ones becomes a dead letter. In"
                    + " characters of JSON, together with headers that fit no column.",
            Accepts.whole(0, Integer.MAX_VALUE - 8)),
    DUPLICATE_WINDOW(
            "duplicateWindowMillis",
            "3600000",
            "How long a message with the property `_AMQ_DUPL_ID` keeps out another one with the same value that is sent to"
                    + " the same destination; 0 keeps out none.",
            Accepts.whole(0, 31_536_000_000L)),
    REMOVE_EXPIRED(
            "removeExpired",
            "true",
            "Whether this JVM removes expired messages. `false` leaves them to the others, for a program that does not know where"
                    + " the applications have them go; while it runs alone they stay.",
            Accepts.flag()),
    RECOVERY_DELAY(
            "recoveryDelayMillis",
            "100",
            "How long a listener waits before it tries again after the database went away; a ConnectionConsumer also after"
                    + " its ServerSessionPool failed.",
            Accepts.whole(1, 3_600_000)),
    RECOVERY_CEILING(
            "recoveryCeilingMillis",
            "10000",
            "What the wait of `recoveryDelayMillis` grows to while the database stays away.",
            Accepts.whole(1, 86_400_000)),
    MAXIMUM_DELIVERIES(
            "redelivery.maximumDeliveries",
            "10",
            "After this many deliveries that were not acknowledged a message becomes a dead letter; 0 is no limit.",
            Accepts.whole(0, Integer.MAX_VALUE)),
    REDELIVERY_DELAY(
            "redelivery.delayMillis",
            "0",
            "How long a message waits before its second delivery. Others are delivered meanwhile.",
            Accepts.whole(0, 31_536_000_000L)),
    REDELIVERY_MULTIPLIER(
            "redelivery.multiplier",
            "1",
            "By what factor the wait before a redelivery grows with each one.",
            Accepts.decimal("1", "1000")),
    REDELIVERY_CEILING(
            "redelivery.ceilingMillis",
            "86400000",
            "The longest wait before a redelivery.",
            Accepts.whole(0, 31_536_000_000L)),
    REDELIVERY_JITTER(
            "redelivery.jitter",
            "0",
            "By what fraction the wait before a redelivery is made longer or shorter at random, so that messages that failed"
                    + " together do not come back together.",
            Accepts.decimal("0", "1")),
    DEAD_LETTER_DESTINATION(
            "redelivery.deadLetterDestination",
            "DLQ",
            "The queue that dead letters go to; a `*` in it stands for the name of the destination they come from,"
                    + " as in `DLQ.*`.",
            Accepts.deadLetterName()),
    EXPIRY_DESTINATION(
            "expiry.destination",
            "",
            "The queue that expired messages go to; a `*` in it stands for the name of the destination they come from."
                    + " Without one they are purged. Set it alike in all JVMs: any of them may be the one that removes them, but for"
                    + " those with `removeExpired=false`.",
            Accepts.optionalDeadLetterName()),
    EXCLUSIVE(
            "consumer.exclusive",
            "false",
            "Whether only one consumer at a time gets messages of a queue; when it closes or dies, another one does."
                    + " Set it alike wherever the queue is consumed.",
            Accepts.flag()),
    LEASE_SECONDS(
            "consumer.leaseSeconds",
            "0",
            "For how long a consumer's claim holds a message without an open transaction, for listeners that work for"
                    + " minutes. 0 claims by a lock instead, for as long as the transaction is open.",
            Accepts.whole(0, 31_536_000));

    private final String key;
    private final String defaultValue;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // a record of a text and a predicate that captures nothing mutable
    private final Accepts accepts;

    Option(String key, String defaultValue, String meaning, Accepts accepts) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.meaning = meaning;
        this.accepts = accepts;
    }

    /** How users write it. Durations say in their name what they are in, milliseconds but for one. */
    public String key() {
        return key;
    }

    /** What it is when not set; empty for nothing at all. */
    public String defaultValue() {
        return defaultValue;
    }

    /** What it does, in a sentence or two of Markdown. */
    public String meaning() {
        return meaning;
    }

    /** Which values it takes, in words. */
    public String accepted() {
        return accepts.words();
    }

    /** Whether it can be given for some destinations only, as {@code group.PATTERN.field}. */
    public boolean perDestination() {
        return key.indexOf('.') >= 0;
    }

    /** Whether its value must not be shown anywhere. */
    public boolean isSecret() {
        return this == PASSWORD || this == USER;
    }

    /** The part of a per-destination option's name before the pattern. */
    String group() {
        return key.substring(0, key.indexOf('.'));
    }

    /** The part of a per-destination option's name behind the pattern. */
    String field() {
        return key.substring(key.indexOf('.') + 1);
    }

    /** Its line in the documentation's table. */
    public String row() {
        String shown = defaultValue.isEmpty() ? "" : "`" + defaultValue + "`";
        return "| `" + key + "` | " + shown + " | " + meaning + " | " + accepted() + " |";
    }

    /** The option of exactly this name. */
    public static Optional<Option> of(String key) {
        return Arrays.stream(values()).filter(option -> option.key.equals(key)).findFirst();
    }

    static List<Option> ofGroup(String group) {
        return Arrays.stream(values())
                .filter(option -> option.perDestination() && option.group().equals(group))
                .toList();
    }

    /**
     * @param name as the user wrote it, for the error
     * @throws IllegalArgumentException naming the option, the value and what is accepted
     */
    void check(String name, String value) {
        if (!accepts.test().test(value)) {
            String shown = isSecret() ? "its value" : "'" + value + "'";
            throw new IllegalArgumentException(
                    "Option '" + name + "': " + shown + " is not accepted; it takes " + accepted());
        }
    }
}
