package org.readpast.jms.config;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All options, validated once. Immutable. Its text form shows neither user nor password. */
public final class Settings {

    private static final Settings DEFAULTS = of(Map.of());

    private final Map<Option, String> given;
    private final Map<Option, Long> numbers;
    private final DestinationRules rules;
    private final List<String> notes;
    private final Map<String, Map<String, String>> routes;

    private Settings(OptionReader reader) {
        given = Map.copyOf(reader.plain());
        numbers = new EnumMap<>(Option.class);
        for (Option option : List.of(
                Option.POOL_SIZE,
                Option.POOL_TIMEOUT,
                Option.IDLE_CLOSE,
                Option.CLOSE_TIMEOUT,
                Option.POLL_FLOOR,
                Option.POLL_CEILING,
                Option.CLAIM_AHEAD,
                Option.RECEIVE_AHEAD,
                Option.DUPS_OK_BATCH,
                Option.OUTBOX_BYTES,
                Option.MAX_INLINE_BODY,
                Option.MAX_BODY,
                Option.MAX_PROPERTIES,
                Option.OBJECT_BYTES,
                Option.OBJECT_DEPTH,
                Option.OBJECT_REFERENCES,
                Option.OBJECT_ARRAY_ELEMENTS,
                Option.COMPOSITE_MEMBERS,
                Option.DUPLICATE_WINDOW,
                Option.RECOVERY_DELAY,
                Option.RECOVERY_CEILING)) {
            numbers.put(option, Long.valueOf(text(option)));
        }
        rules = new DestinationRules(reader.rules());
        notes = reader.notes();
        routes = reader.routes();
        ordered(Option.POLL_FLOOR, Option.POLL_CEILING);
        ordered(Option.RECOVERY_DELAY, Option.RECOVERY_CEILING);
    }

    /** With nothing set. */
    public static Settings defaults() {
        return DEFAULTS;
    }

    /**
     * @param options values by name: names of {@link Option}s, per-destination forms of them, and names that other providers use
     * @throws IllegalArgumentException for an unknown option, naming the nearest known one; for a value that is not accepted,
     *     naming what is; for an option given twice under two names; for values that contradict each other
     */
    public static Settings of(Map<String, String> options) {
        return new Settings(new OptionReader(options));
    }

    /**
     * Options from several places, each of which may use any of an option's names.
     *
     * @param layers the one that counts least comes first
     * @throws IllegalArgumentException as {@link #of} does
     */
    @SafeVarargs
    public static Settings layered(Map<String, String>... layers) {
        OptionReader all = new OptionReader(Map.of());
        for (Map<String, String> layer : layers) {
            all.overlay(new OptionReader(layer));
        }
        return new Settings(all);
    }

    /** Whether a name is that of an option, in any of its forms. */
    public static boolean knows(String name) {
        return OptionReader.knows(name);
    }

    /** The option that somebody may have meant whose word is so close to its name that a slip is likely. */
    public static Optional<String> misspelt(String name) {
        return knows(name) ? Optional.empty() : OptionReader.closeTo(name);
    }

    /**
     * Checks one option by itself.
     *
     * @throws IllegalArgumentException if its name is unknown or its value not accepted
     */
    public static void check(String name, String value) {
        OptionReader.check(name, value);
    }

    /** Whether a text is an IP address itself, for which no name server is asked. */
    public static boolean isAddress(String text) {
        return !text.isEmpty() && Accepts.addresses(1).test().test(text);
    }

    /** The schema that holds the tables; an identifier that needs no quotes. */
    public String schema() {
        return text(Option.SCHEMA);
    }

    /** Whether to make and upgrade the tables; empty for the database's own default, which is yes on H2 and no elsewhere. */
    public Optional<Boolean> createSchema() {
        return Optional.ofNullable(given.get(Option.CREATE_SCHEMA)).map(Boolean::valueOf);
    }

    /**
     * Whether transactions leave a row behind to show that they were committed, and nothing else is tried otherwise; empty for what
     * costs no row: PostgreSQL is asked what became of a transaction.
     */
    public Optional<Boolean> verifyCommit() {
        return Optional.ofNullable(given.get(Option.VERIFY_COMMIT)).map(Boolean::valueOf);
    }

    /** The most SQL connections in a pool of ours. */
    public int poolSize() {
        return whole(Option.POOL_SIZE);
    }

    /** How long to wait for a free SQL connection. */
    public long poolTimeoutMillis() {
        return numbers.get(Option.POOL_TIMEOUT);
    }

    /** How long a shared pool outlives the last JMS connection; 0 for not at all. */
    public long idleCloseMillis() {
        return numbers.get(Option.IDLE_CLOSE);
    }

    /** How long closing waits for listeners. */
    public long closeTimeoutMillis() {
        return numbers.get(Option.CLOSE_TIMEOUT);
    }

    public Join join() {
        return Join.valueOf(text(Option.JOIN).toUpperCase(Locale.ROOT));
    }

    /** Package names with commas between them, {@code *} for all, empty for none. */
    public String trustedPackages() {
        return text(Option.TRUSTED_PACKAGES);
    }

    /** The longest serialized object that is read. */
    public long objectBytes() {
        return numbers.get(Option.OBJECT_BYTES);
    }

    /** How deep objects that are read are nested. */
    public int objectDepth() {
        return whole(Option.OBJECT_DEPTH);
    }

    /** How many objects are read of one message. */
    public long objectReferences() {
        return numbers.get(Option.OBJECT_REFERENCES);
    }

    /** How many elements their arrays have together. */
    public long objectArrayElements() {
        return numbers.get(Option.OBJECT_ARRAY_ELEMENTS);
    }

    /** How many queues and topics a connection may bring into being. */
    public long autoCreate() {
        String value = text(Option.AUTO_CREATE);
        if (value.equalsIgnoreCase("true")) {
            return Long.MAX_VALUE;
        }
        return value.equalsIgnoreCase("false") ? 0 : Long.parseLong(value);
    }

    /** How many members a composite destination may have. */
    public int compositeMembers() {
        return whole(Option.COMPOSITE_MEMBERS);
    }

    /** Whether a composite destination may be sent to that came with a message. */
    public boolean compositeReplies() {
        return Boolean.parseBoolean(text(Option.COMPOSITE_REPLIES));
    }

    /** Whether the URL may make the factory connect to a naming service, or H2 run code. */
    public boolean trustUrl() {
        return Boolean.parseBoolean(text(Option.TRUST_URL));
    }

    /** The shortest pause between two looks for new messages. */
    public long pollFloorMillis() {
        return numbers.get(Option.POLL_FLOOR);
    }

    /** The longest pause between two looks for new messages; not below the floor. */
    public long pollCeilingMillis() {
        return numbers.get(Option.POLL_CEILING);
    }

    /** Whether to use PostgreSQL's LISTEN/NOTIFY. */
    public boolean notification() {
        return Boolean.parseBoolean(text(Option.NOTIFICATION));
    }

    /** Whether to wake other JVMs by datagrams, and to be woken by theirs. */
    public boolean datagrams() {
        return Boolean.parseBoolean(text(Option.DATAGRAMS));
    }

    /** The address on which datagrams are heard; empty for all of this host. */
    public String datagramAddress() {
        return text(Option.DATAGRAM_ADDRESS);
    }

    /** The addresses that others are told to send datagrams to; empty for those that this host has. */
    public List<String> datagramAdvertised() {
        String addresses = text(Option.DATAGRAM_ADVERTISED);
        return addresses.isEmpty() ? List.of() : List.of(addresses.split(",", -1));
    }

    /** The first port on which datagrams may be heard; 0 for any. */
    public int firstDatagramPort() {
        return Integer.parseInt(text(Option.DATAGRAM_PORTS).split("-", -1)[0]);
    }

    /** The last port on which datagrams may be heard. */
    public int lastDatagramPort() {
        String[] ports = text(Option.DATAGRAM_PORTS).split("-", -1);
        return Integer.parseInt(ports[ports.length - 1]);
    }

    /** How many messages a DUPS_OK session claims and acknowledges together. */
    public int dupsOkBatch() {
        return whole(Option.DUPS_OK_BATCH);
    }

    /** How many messages a CLIENT or transacted session claims at once. */
    public int claimAhead() {
        return whole(Option.CLAIM_AHEAD);
    }

    /** How long an AUTO session may keep a message claimed for a {@code receive} that has not been called yet. */
    public int receiveAheadMillis() {
        return whole(Option.RECEIVE_AHEAD);
    }

    /** How many bytes of sends a transacted session holds back until its commit. */
    public long outboxBytes() {
        return numbers.get(Option.OUTBOX_BYTES);
    }

    /** The largest body, in bytes, that travels with its message. */
    public int maxInlineBody() {
        return whole(Option.MAX_INLINE_BODY);
    }

    /** The longest body, in bytes as it is stored, that is sent or read. */
    public int maxBodyBytes() {
        return whole(Option.MAX_BODY);
    }

    /** The longest properties, in characters of JSON, that are sent or read. */
    public int maxPropertiesLength() {
        return whole(Option.MAX_PROPERTIES);
    }

    /** How long the id of a message keeps out another one with the same id; 0 for not at all. */
    public long duplicateWindowMillis() {
        return numbers.get(Option.DUPLICATE_WINDOW);
    }

    /** Whether this JVM removes expired messages. */
    public boolean removeExpired() {
        return Boolean.parseBoolean(text(Option.REMOVE_EXPIRED));
    }

    /** The first pause after the database went away. */
    public long recoveryDelayMillis() {
        return numbers.get(Option.RECOVERY_DELAY);
    }

    /** What the pause grows to while the database stays away; not below the first one. */
    public long recoveryCeilingMillis() {
        return numbers.get(Option.RECOVERY_CEILING);
    }

    /** The client id of the factory's connections, or null. */
    public String clientId() {
        return given.get(Option.CLIENT_ID);
    }

    /** The database's user, or null. */
    public String user() {
        String user = text(Option.USER);
        return user.isEmpty() ? null : user;
    }

    /** The user's password, or null. Never log it. */
    public String password() {
        return given.get(Option.PASSWORD);
    }

    /** What becomes of messages of a destination that fail; the dead-letter queue is the actual name, its star filled in. */
    public RedeliveryPolicy redelivery(String destinationName) {
        return rules.redelivery(destinationName);
    }

    /** The queue that a destination's expired messages go to, or null where they are purged. */
    public String expiryDestination(String destinationName) {
        return rules.expiryDestination(destinationName);
    }

    /** Whether only one consumer at a time gets messages of a queue, or of a subscription of a topic. */
    public boolean exclusive(String destinationName) {
        return rules.exclusive(destinationName);
    }

    /**
     * For how many seconds a consumer claims messages of a queue, or of a subscription of a topic; 0 for as long as its transaction
     * is open.
     */
    public int leaseSeconds(String destinationName) {
        return rules.leaseSeconds(destinationName);
    }

    /** What was set, by the options' own names; the password too, so never log it. */
    public Map<String, String> options() {
        Map<String, String> options = new TreeMap<>();
        given.forEach((option, value) -> options.put(option.key(), value));
        rules.show(options);
        return options;
    }

    /**
     * What is said of other databases, by their names: {@code url}, {@code destinations}, and options that are otherwise there. It is no part
     * of {@link #options}, which are those of the factory's own database.
     */
    public Map<String, Map<String, String>> routes() {
        return routes;
    }

    /** All of it by the names that {@link #of} understands: {@link #options} and, as {@code route.NAME.OPTION}, {@link #routes}. */
    public Map<String, String> optionsAndRoutes() {
        Map<String, String> all = options();
        routes.forEach((route, options) ->
                options.forEach((option, value) -> all.put(RouteOptions.PREFIX + route + "." + option, value)));
        return all;
    }

    /** What was understood only in part, or has no effect here, in whole sentences; for the log. */
    public List<String> notes() {
        return notes;
    }

    /** What was set, by name, credentials hidden. */
    @Override
    public String toString() {
        Map<String, String> shown = options();
        shown.replaceAll((key, value) -> Option.of(key).filter(Option::isSecret).isPresent() ? "(hidden)" : value);
        return "Settings" + shown;
    }

    private String text(Option option) {
        return given.getOrDefault(option, option.defaultValue());
    }

    private int whole(Option option) {
        return Math.toIntExact(numbers.get(option));
    }

    private void ordered(Option lower, Option upper) {
        if (numbers.get(lower) > numbers.get(upper)) {
            throw new IllegalArgumentException("Option '" + lower.key() + "' (" + numbers.get(lower) + ") is above '"
                    + upper.key() + "' (" + numbers.get(upper) + "); set both so that it is not");
        }
    }
}
