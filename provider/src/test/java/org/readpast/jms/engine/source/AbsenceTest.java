package org.readpast.jms.engine.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.config.Settings;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.arrival.OtherJvms;
import org.readpast.jms.engine.support.AutoCreation;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionAnswer;
import org.slf4j.LoggerFactory;

/** What is done again after an absence, or later, comes off though the driver fails first with an exception that it should not throw. */
class AbsenceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What has failed once. */
    private final Set<Object> failed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean isAway = new AtomicBoolean();
    private final AtomicInteger ids = new AtomicInteger(100);

    private final MessageStore store =
            proxy(MessageStore.class, (self, method, arguments) -> switch (method.getName()) {
                case "describe" -> "test";
                case "findDestination" ->
                    arguments[0] == DestinationKind.TOPIC ? OptionalInt.of(1) : OptionalInt.empty();
                default -> 1;
            });

    private final Presence presence = proxy(Presence.class, (self, method, arguments) -> {
        if (method.getName().equals("isTemporary")) {
            return false;
        }
        failOnce(method.getName() + arguments[arguments.length - 1]);
        return method.getName().equals("createTemporaryAgain")
                ? (Object) ids.incrementAndGet()
                : new SubscriptionAnswer(SubscriptionAnswer.Outcome.DONE, ids.incrementAndGet());
    });

    private final ArrivalNews nobody = proxy(ArrivalNews.class, (self, method, arguments) -> null);
    private final Settings settings = Settings.of(Map.of("poolTimeoutMillis", "1000"));
    private final Housekeeping housekeeping =
            new Housekeeping(store, presence, settings, nobody, OtherJvms.NONE, new Outages(settings), "test");
    private final Arrivals arrivals = new Arrivals();
    private final Destinations destinations = new Destinations(store);
    private final ConnectionContext connection = proxy(
            ConnectionContext.class,
            (self, method, arguments) -> method.getName().equals("autoCreation") ? new AutoCreation(0) : null);

    @AfterEach
    void close() {
        housekeeping.close();
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private void failOnce(Object what) {
        if (isAway.get() && failed.add(what)) {
            throw new IllegalStateException("made to fail");
        }
    }

    @Test
    void all_temporary_destinations_are_made_again() {
        ReadpastTemporaryQueue one = new ReadpastTemporaryQueue("one");
        ReadpastTemporaryQueue other = new ReadpastTemporaryQueue("other");
        destinations.created(one, 1, connection);
        destinations.created(other, 2, connection);
        isAway.set(true);
        destinations.createTemporariesAgain(presence, arrivals, housekeeping);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(destinations.idNow(one, 1)).isGreaterThan(100);
            assertThat(destinations.idNow(other, 2)).isGreaterThan(100);
        });
    }

    @Test
    void all_consumers_subscribe_again() throws Exception {
        Subscriptions subscriptions = new Subscriptions(destinations, presence, arrivals, housekeeping);
        Subscription wish = new Subscription(new ReadpastTopic("news"), Subscription.Kind.UNSHARED, null, null, false);
        SubscriptionUse one = subscriptions.open(connection, wish);
        SubscriptionUse other = subscriptions.open(connection, wish);
        int before = ids.get();
        isAway.set(true);
        subscriptions.subscribeAgain();
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(one.destinationId()).isGreaterThan(before);
            assertThat(other.destinationId()).isGreaterThan(before);
        });
    }

    @Test
    void what_is_given_up_later_is_given_up() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        AtomicBoolean isGivenUp = new AtomicBoolean();
        Release.carryOut(housekeeping, "Something", () -> {
            switch (attempts.incrementAndGet()) {
                case 1 -> throw new StoreException(Failure.CONNECTION_LOST, "made to fail", null);
                case 2 -> throw new IllegalStateException("made to fail");
                default -> isGivenUp.set(true);
            }
        });
        await().atMost(PATIENCE).untilTrue(isGivenUp);
    }

    @Test
    void what_cannot_be_given_up_at_once_is_given_up_later() {
        AtomicBoolean isGivenUp = new AtomicBoolean();
        isAway.set(true);
        assertThatThrownBy(() -> Release.carryOut(housekeeping, "Something", () -> {
                    failOnce("Something");
                    isGivenUp.set(true);
                }))
                .isInstanceOf(IllegalStateException.class);
        await().atMost(PATIENCE).untilTrue(isGivenUp);
    }

    /** Else nobody would tell of the next outage. */
    @Test
    void outage_is_over_for_what_goes_on_failing_otherwise() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        StoreException away = new StoreException(Failure.CONNECTION_LOST, "made to fail", null);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Release.class.getPackageName());
        logger.addAppender(lines);
        try {
            Release.carryOut(housekeeping, "Something that fails", () -> {
                if (attempts.incrementAndGet() == 1) {
                    throw away;
                }
                throw new IllegalStateException("made to fail");
            });
            await().atMost(PATIENCE).until(() -> attempts.get() > 3);
            assertThat(lines.list)
                    .filteredOn(line -> line.getLevel() == Level.ERROR
                            && line.getFormattedMessage().startsWith("Something that fails"))
                    .hasSize(1);
            // Somebody else's is known for a while after the end of the one before.
            await().atMost(PATIENCE).until(() -> !housekeeping.outages().isKnown(away, this));
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    void groups_of_a_closed_consumer_are_given_up() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        AtomicBoolean areGivenUp = new AtomicBoolean();
        Presence withGroups = proxy(Presence.class, (self, method, arguments) -> {
            if (attempts.incrementAndGet() == 2) {
                throw new IllegalStateException("made to fail");
            }
            areGivenUp.set(attempts.get() > 2);
            return areGivenUp.get();
        });
        assertThat(useOfGroups(withGroups).end(1)).isFalse();
        await().atMost(PATIENCE).untilTrue(areGivenUp);
    }

    @Test
    void groups_that_cannot_be_given_up_at_once_are_given_up_later() {
        AtomicBoolean areGivenUp = new AtomicBoolean();
        Presence withGroups = proxy(Presence.class, (self, method, arguments) -> {
            failOnce(method.getName());
            areGivenUp.set(true);
            return true;
        });
        isAway.set(true);
        assertThatThrownBy(() -> useOfGroups(withGroups).end(1)).isInstanceOf(IllegalStateException.class);
        await().atMost(PATIENCE).untilTrue(areGivenUp);
    }

    private GroupUse useOfGroups(Presence withGroups) {
        GroupHolder holder = new GroupHolder("test", false);
        holder.uses(1, "group");
        return new GroupUse(new Groups(withGroups, housekeeping, nobody), withGroups, housekeeping, nobody, holder);
    }
}
