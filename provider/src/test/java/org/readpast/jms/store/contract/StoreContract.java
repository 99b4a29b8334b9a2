package org.readpast.jms.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.selector.SelectorSyntaxException;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Publication;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/**
 * An open store on tables of the test class's own, a queue for each test, and short words for what tests do with them. Bodies of more than
 * 1,000 bytes do not come with a claim.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreContract {

    private final Tables tables;
    private final Map<Integer, String> topics = new ConcurrentHashMap<>();
    private final List<StoreTransaction> transactions = new ArrayList<>();

    protected MessageStore store;
    protected int queue;
    protected String queueName;

    protected StoreContract(Tables tables) {
        this.tables = tables;
    }

    @BeforeAll
    void openStore() throws StoreException {
        store = tables.open();
    }

    @AfterAll
    void closeStore() throws Exception {
        store.close();
        tables.drop();
    }

    @BeforeEach
    void createQueue() throws StoreException {
        queueName = "queue " + UUID.randomUUID();
        queue = store.destination(DestinationKind.QUEUE, queueName);
    }

    @AfterEach
    protected void nothingIsLeftBehind() {
        transactions.forEach(StoreTransaction::close);
        transactions.clear();
        assertThat(tables.transactionsAtWork(store))
                .as("transactions that hold something")
                .isZero();
    }

    protected Tables tables() {
        return tables;
    }

    /** A transaction that is closed after the test. */
    protected StoreTransaction transaction() {
        return transaction(store);
    }

    protected StoreTransaction transaction(MessageStore of) {
        StoreTransaction transaction = of.transaction("test");
        transactions.add(transaction);
        return transaction;
    }

    // Messages

    protected EncodedMessage message(String text) {
        return message(text, 4, null, null);
    }

    protected EncodedMessage message(String text, int priority, String correlationId, String properties) {
        return new EncodedMessage(
                "ID:" + text,
                "queue://" + queueName,
                null,
                correlationId,
                null,
                2,
                priority,
                1_000,
                0,
                1_000,
                null,
                properties,
                BodyKind.TEXT,
                new Body.Text(text));
    }

    protected EncodedMessage grouped(String group, String text) {
        return grouped(group, text, 4);
    }

    protected EncodedMessage grouped(String group, String text, int priority) {
        EncodedMessage m = message(text, priority, null, null);
        return new EncodedMessage(
                m.messageId(),
                m.destination(),
                m.replyTo(),
                m.correlationId(),
                m.type(),
                m.deliveryMode(),
                m.priority(),
                m.timestamp(),
                m.expiration(),
                m.deliveryTime(),
                group,
                m.properties(),
                m.kind(),
                m.body());
    }

    protected final int topicNamed(MessageStore of, String name) throws StoreException {
        int id = of.destination(DestinationKind.TOPIC, name);
        topics.put(id, name);
        return id;
    }

    protected final int temporaryTopic(Presence of, String name) throws StoreException {
        int id = of.createTemporary(DestinationKind.TEMPORARY_TOPIC, name);
        topics.put(id, name);
        return id;
    }

    /** A message for a topic that one of the methods above has made. */
    protected final NewMessage toTopic(int topic, EncodedMessage message, long timeToLive, long delay, String origin) {
        return new NewMessage(
                topic,
                message.withDestination("topic://" + topics.get(topic)),
                timeToLive,
                delay,
                System.nanoTime(),
                new Publication(origin));
    }

    /** A message for another queue than the test's own. */
    protected NewMessage elsewhere(int id, String name, String text) {
        return elsewhere(id, name, text, 0);
    }

    protected NewMessage elsewhere(int id, String name, String text, long delay) {
        return elsewhere(id, name, message(text), delay);
    }

    protected static NewMessage elsewhere(int id, String name, EncodedMessage m, long delay) {
        EncodedMessage named = new EncodedMessage(
                m.messageId(),
                "queue://" + name,
                m.replyTo(),
                m.correlationId(),
                m.type(),
                m.deliveryMode(),
                m.priority(),
                m.timestamp(),
                m.expiration(),
                m.deliveryTime(),
                m.groupId(),
                m.properties(),
                m.kind(),
                m.body());
        return new NewMessage(id, named, 0, delay, System.nanoTime());
    }

    protected NewMessage to(EncodedMessage message) {
        return to(message, 0, 0);
    }

    protected NewMessage to(EncodedMessage message, long timeToLive, long delay) {
        return new NewMessage(queue, message, timeToLive, delay, System.nanoTime());
    }

    protected void send(String... texts) throws StoreException {
        for (String text : texts) {
            store.insert(List.of(to(message(text))));
        }
    }

    protected void sendTogether(EncodedMessage... messages) throws StoreException {
        store.insert(Arrays.stream(messages).map(this::to).toList());
    }

    // Claims

    protected ClaimRequest head(int max) {
        return ClaimRequest.fromHead(queue, max, null);
    }

    protected ClaimRequest matching(String selector, int max) {
        try {
            return ClaimRequest.fromHead(queue, max, Selector.parse(selector));
        } catch (SelectorSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A message that was claimed in time, however busy the machine is, and has expired since. */
    protected List<StoredMessage> claimedAndExpired(StoreTransaction transaction, ClaimRequest request)
            throws StoreException {
        List<StoredMessage> claimed = List.of();
        long timeToLive = 150;
        long sent = 0;
        while (claimed.isEmpty()) {
            timeToLive *= 2;
            store.removeExpired(queue, Optional.empty(), 10);
            store.insert(List.of(to(message("brief"), timeToLive, 0)));
            sent = System.nanoTime();
            claimed = transaction.claim(request);
        }
        long end = sent + TimeUnit.MILLISECONDS.toNanos(timeToLive);
        await().until(() -> System.nanoTime() - end > 0);
        return claimed;
    }

    protected static List<String> texts(List<StoredMessage> messages) {
        return messages.stream()
                .map(stored -> ((Body.Text) stored.message().body()).text())
                .toList();
    }

    protected static List<Claim> claims(List<StoredMessage> messages) {
        return messages.stream().map(StoredMessage::claim).toList();
    }

    /** Claims by lock of messages of which only the keys are known. */
    protected static List<Claim> locked(List<MessageKey> keys) {
        return keys.stream()
                .map(key -> new Claim(key, null, 0, null, System.nanoTime()))
                .toList();
    }

    /** What a commit carries out that only sends. */
    protected static Settlement sending(NewMessage... messages) {
        return new Settlement(List.of(messages), List.of(), List.of());
    }

    protected static List<MessageKey> keys(List<StoredMessage> messages) {
        return messages.stream().map(StoredMessage::key).toList();
    }

    protected static Settlement acknowledging(List<StoredMessage> messages) {
        return Settlement.acknowledgement(claims(messages));
    }

    /** Takes all that can be claimed. */
    protected List<StoredMessage> drain() throws StoreException {
        return drain(queue);
    }

    protected List<StoredMessage> drain(int from) throws StoreException {
        List<StoredMessage> all = new ArrayList<>();
        try (StoreTransaction transaction = store.transaction("test")) {
            List<StoredMessage> some = transaction.claim(ClaimRequest.fromHead(from, 100, null));
            while (!some.isEmpty()) {
                all.addAll(some);
                some = transaction.commit(acknowledging(some), ClaimRequest.fromHead(from, 100, null));
            }
        }
        return all;
    }
}
