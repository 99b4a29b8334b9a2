package org.readpast.jms.engine.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.arrival.OtherJvms;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;

/** What this user may not do is left to others, and not for ever; what becomes due is looked for when it is. */
class HousekeepingTest {

    /** By then a JVM that is alone has done all that is done every few seconds. */
    private static final long LATE_MILLIS = 6_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger dueLooks = new AtomicInteger();
    private final AtomicInteger refreshed = new AtomicInteger();
    private final AtomicInteger reaped = new AtomicInteger();
    private final AtomicInteger settingsRead = new AtomicInteger();
    private final AtomicReference<List<String>> missing = new AtomicReference<>(List.of());

    private final AtomicReference<Presence.Refreshed> found = new AtomicReference<>(Presence.Refreshed.HELD);

    /** Whether another JVM looks for this one. */
    private final AtomicBoolean lookedFor = new AtomicBoolean();

    /** Whether it fails to find out. */
    private final AtomicBoolean isOutOfMemory = new AtomicBoolean();

    private final OtherJvms others = new OtherJvms() {
        @Override
        public boolean reachesAll() {
            return false;
        }

        @Override
        public boolean lookForThis() {
            if (isOutOfMemory.get()) {
                throw new OutOfMemoryError("made to fail");
            }
            return lookedFor.get();
        }

        @Override
        public Set<Integer> toLookFor() {
            return Set.of();
        }

        @Override
        public void looked(Collection<Integer> found) {
            // Housekeeping makes no such looks.
        }

        @Override
        public void missing(Collection<String> instances) {
            missing.set(List.copyOf(instances));
        }
    };

    /** Whether the database refuses what is asked of it, as one does that is being restored. */
    private final AtomicBoolean isRefusing = new AtomicBoolean(true);

    private Object answer(String method) throws StoreException {
        if (method.equals("warnings")) {
            return List.of();
        }
        if (method.equals("describe")) {
            return "test";
        }
        AtomicInteger asked = method.equals("millisUntilNextDue") ? dueLooks : looks;
        asked.incrementAndGet();
        if (isRefusing.get()) {
            throw new StoreException(Failure.PERMISSION, method + " is refused", null);
        }
        return method.equals("millisUntilNextDue") ? (Object) Long.valueOf(-1) : (Object) false;
    }

    /** Nothing is there, and nothing is to be done. */
    private static Object nothing(String method) {
        return switch (method) {
            case "warnings" -> List.of();
            case "describe" -> "test";
            case "millisUntilNextDue" -> -1L;
            case "refreshMarks", "removeUnusedBodies" -> false;
            case "queuesWithExpired" -> Map.of();
            case "refreshQueueSettings" -> List.of();
            default -> 0;
        };
    }

    @FunctionalInterface
    private interface Answers {
        Object to(String method) throws StoreException;
    }

    @FunctionalInterface
    private interface CallAnswers {
        Object to(String method, Object[] arguments) throws StoreException;
    }

    private Housekeeping housekeeping(Answers answers) {
        return housekeeping(answers, "true");
    }

    private Housekeeping housekeeping(Answers answers, String removeExpired) {
        return housekeeping((method, arguments) -> answers.to(method), removeExpired);
    }

    private Housekeeping housekeeping(CallAnswers answers) {
        return housekeeping(answers, "true");
    }

    private Housekeeping housekeeping(CallAnswers answers, String removeExpired) {
        MessageStore store = (MessageStore) Proxy.newProxyInstance(
                MessageStore.class.getClassLoader(),
                new Class<?>[] {MessageStore.class},
                (self, method, arguments) -> answers.to(method.getName(), arguments));
        Presence presence = (Presence) Proxy.newProxyInstance(
                Presence.class.getClassLoader(), new Class<?>[] {Presence.class}, (self, method, arguments) -> {
                    return switch (method.getName()) {
                        case "refresh" -> {
                            refreshed.incrementAndGet();
                            yield found.get();
                        }
                        case "missing" -> List.of("one without its lock");
                        default -> reaped.incrementAndGet();
                    };
                });
        Settings settings = Settings.of(
                Map.of("recoveryDelayMillis", "10", "recoveryCeilingMillis", "100", "removeExpired", removeExpired));
        ArrivalNews nobody = (ArrivalNews) Proxy.newProxyInstance(
                ArrivalNews.class.getClassLoader(),
                new Class<?>[] {ArrivalNews.class},
                (self, method, arguments) -> null);
        return new Housekeeping(store, presence, settings, nobody, others, new Outages(settings), "test");
    }

    @Test
    void chore_that_was_refused_is_tried_again_after_a_while() {
        Housekeeping housekeeping = housekeeping(this::answer);
        try {
            housekeeping.start(back -> {}, () -> {}, () -> {}, () -> {}, () -> {});

            await().until(() -> !housekeeping.isAllowedAll());
            await().untilAsserted(() -> assertThat(looks).hasValueGreaterThan(5));
            await().untilAsserted(() -> assertThat(dueLooks).hasValueGreaterThan(1));
            assertThat(housekeeping.isAllowedAll()).isFalse();
            isRefusing.set(false);
            await().until(housekeeping::isAllowedAll);
        } finally {
            housekeeping.close();
        }
    }

    @Test
    void what_another_jvm_does_for_all_is_done_here_when_it_does_it_no_more() {
        lookedFor.set(true);
        AtomicInteger markers = new AtomicInteger();
        Housekeeping housekeeping = housekeeping(method -> {
            switch (method) {
                case "forgetMarkers" -> markers.incrementAndGet();
                case "millisUntilNextDue" -> dueLooks.incrementAndGet();
                case "queuesWithExpired" -> looks.incrementAndGet();
                case "refreshQueueSettings" -> settingsRead.incrementAndGet();
                default -> {
                    // Not what this is about.
                }
            }
            return nothing(method);
        });
        AtomicInteger followed = new AtomicInteger();
        try {
            housekeeping.start(back -> {}, () -> {}, followed::incrementAndGet, () -> {}, () -> {});
            // Behind all that would have been done by then.
            CompletableFuture<Void> later = new CompletableFuture<>();
            housekeeping.later(LATE_MILLIS, () -> later.complete(null));
            later.join();
            assertThat(followed).hasValue(0);
            assertThat(reaped).hasValue(0);
            assertThat(dueLooks).hasValue(0);
            assertThat(looks).hasValue(0);
            assertThat(settingsRead).hasValue(0);
            assertThat(refreshed).hasValue(0);
            // The other one need not leave any.
            assertThat(markers).hasPositiveValue();

            housekeeping.refreshPresenceSoon();
            await().untilAsserted(() -> assertThat(refreshed).hasValue(1));

            housekeeping.dueIn(10);
            await().untilAsserted(() -> assertThat(dueLooks).hasValue(1));

            found.set(Presence.Refreshed.TAKEN_AGAIN);
            housekeeping.refreshPresenceSoon();
            // Not by the look that comes once a minute.
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(followed).hasValue(1));
            found.set(Presence.Refreshed.HELD);

            lookedFor.set(false);
            await().untilAsserted(() -> assertThat(reaped).hasValueGreaterThan(0));
            await().untilAsserted(() -> assertThat(missing).hasValue(List.of("one without its lock")));
            await().untilAsserted(() -> assertThat(dueLooks).hasValueGreaterThan(2));
            await().untilAsserted(() -> assertThat(refreshed).hasValueGreaterThan(2));
            await().untilAsserted(() -> assertThat(looks).hasValueGreaterThan(0));
            await().untilAsserted(() -> assertThat(settingsRead).hasValueGreaterThan(0));
            await().untilAsserted(() -> assertThat(followed).hasValueGreaterThan(1));
        } finally {
            housekeeping.close();
        }
    }

    /** So it does not look for all: they would leave the expired to it. */
    @Test
    void who_does_not_remove_expired_messages_does_not_do_all_that_is_done_for_all() {
        AtomicInteger bodies = new AtomicInteger();
        Housekeeping housekeeping = housekeeping(
                method -> {
                    switch (method) {
                        case "queuesWithExpired" -> looks.incrementAndGet();
                        case "removeUnusedBodies" -> bodies.incrementAndGet();
                        default -> {
                            // Not what this is about.
                        }
                    }
                    return nothing(method);
                },
                "false");
        try {
            housekeeping.start(back -> {}, () -> {}, () -> {}, () -> {}, () -> {});
            // By the same thread, after the expired would have been removed.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(bodies).hasPositiveValue());
            assertThat(looks).hasValue(0);
            assertThat(housekeeping.isAllowedAll()).isFalse();
        } finally {
            housekeeping.close();
        }
    }

    /** As a message may become due that was not there yet when the look that is under way began. */
    @Test
    void look_that_is_asked_for_during_a_look_comes_when_it_is_due() throws Exception {
        CompletableFuture<Housekeeping> looking = new CompletableFuture<>();
        CompletableFuture<Integer> looksBefore = new CompletableFuture<>();
        Housekeeping housekeeping = housekeeping(method -> {
            if (method.equals("millisUntilNextDue") && dueLooks.incrementAndGet() == 1) {
                looking.join().dueIn(10);
                looking.join().later(500, () -> looksBefore.complete(dueLooks.get()));
            }
            return nothing(method);
        });
        try {
            looking.complete(housekeeping);
            housekeeping.start(back -> {}, () -> {}, () -> {}, () -> {}, () -> {});

            assertThat(looksBefore.get(1, TimeUnit.MINUTES)).isGreaterThan(1);
        } finally {
            housekeeping.close();
        }
    }

    /** The first one is of a transaction of the application's that is rolled back, the second one of another that is not. */
    @Test
    void look_for_what_did_not_come_does_not_take_the_place_of_the_one_for_what_came() throws Exception {
        AtomicLong lastLook = new AtomicLong();
        CompletableFuture<Long> lastBefore = new CompletableFuture<>();
        Housekeeping housekeeping = housekeeping(method -> {
            if (method.equals("millisUntilNextDue")) {
                lastLook.set(System.nanoTime());
            }
            return nothing(method);
        });
        try {
            housekeeping.start(back -> {}, () -> {}, () -> {}, () -> {}, () -> {});
            long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(150);
            housekeeping.dueIn(100);
            housekeeping.dueIn(150);
            housekeeping.later(500, () -> lastBefore.complete(lastLook.get()));

            assertThat(lastBefore.get(1, TimeUnit.MINUTES) - due).isNotNegative();
        } finally {
            housekeeping.close();
        }
    }

    /** Others would leave to it what it does not come to. */
    @Test
    void who_waits_for_the_database_in_one_chore_does_nothing_for_all() {
        CompletableFuture<Integer> purged = new CompletableFuture<>();
        AtomicInteger purges = new AtomicInteger();
        Housekeeping housekeeping = housekeeping(method -> {
            if (method.equals("purgeHistory")) {
                purges.incrementAndGet();
                return purged.join();
            }
            return nothing(method);
        });
        try {
            housekeeping.start(back -> {}, () -> {}, () -> {}, () -> {}, () -> {});
            await().until(housekeeping::isAllowedAll);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(purges).hasValue(1));

            await().atMost(PATIENCE).until(() -> !housekeeping.isAllowedAll());
            purged.complete(0);
            await().atMost(PATIENCE).until(housekeeping::isAllowedAll);
        } finally {
            purged.complete(0);
            housekeeping.close();
        }
    }

    /** Each of these finds a full batch until a message that became due meanwhile is moved. */
    @ParameterizedTest
    @ValueSource(strings = {"removeExpired", "purgeHistory", "removeUnusedBodies", "sweepDropped"})
    void messages_become_due_while_much_is_removed(String removing) {
        AtomicBoolean isRemoving = new AtomicBoolean();
        CompletableFuture<Void> moved = new CompletableFuture<>();
        Housekeeping housekeeping = housekeeping(method -> switch (method) {
            case "queuesWithExpired" -> removing.equals("removeExpired") ? Map.of(1, "orders") : Map.of();
            case "millisUntilNextDue" -> isRemoving.get() && !moved.isDone() ? 0L : -1L;
            case "moveDue" -> {
                moved.complete(null);
                yield List.of();
            }
            default -> {
                if (!method.equals(removing)) {
                    yield nothing(method);
                }
                isRemoving.set(true);
                yield moved.isDone() ? nothing(method) : method.equals("removeUnusedBodies") ? (Object) true : 500;
            }
        });
        try {
            housekeeping.start(back -> {}, () -> {}, () -> {}, () -> {}, () -> {});
            assertThat(moved).succeedsWithin(PATIENCE);
        } finally {
            moved.complete(null);
            housekeeping.close();
        }
    }

    /** As a driver does that is not as it should be. */
    @ParameterizedTest
    @ValueSource(strings = {"millisUntilNextDue", "removeUnusedBodies"})
    void who_comes_upon_an_unchecked_exception_does_nothing_for_all(String failing) {
        AtomicBoolean isFailing = new AtomicBoolean(true);
        Housekeeping housekeeping = housekeeping(method -> {
            if (method.equals(failing) && isFailing.get()) {
                throw new IllegalStateException("made to fail");
            }
            return nothing(method);
        });
        try {
            housekeeping.start(back -> {}, () -> {}, () -> {}, () -> {}, () -> {});
            await().atMost(PATIENCE).during(Duration.ofSeconds(2)).until(() -> !housekeeping.isAllowedAll());
            isFailing.set(false);
            await().atMost(PATIENCE).until(housekeeping::isAllowedAll);
        } finally {
            housekeeping.close();
        }
    }

    /** Which may be over a moment later: whatever asked then asks again. */
    @Test
    void nothing_ends_for_good_where_memory_is_short() {
        isOutOfMemory.set(true);
        Housekeeping housekeeping = housekeeping(method -> {
            switch (method) {
                case "millisUntilNextDue" -> dueLooks.incrementAndGet();
                case "queuesWithExpired" -> looks.incrementAndGet();
                case "refreshQueueSettings" -> settingsRead.incrementAndGet();
                default -> {
                    // Not what this is about.
                }
            }
            return nothing(method);
        });
        AtomicInteger followed = new AtomicInteger();
        try {
            housekeeping.start(back -> {}, () -> {}, followed::incrementAndGet, () -> {}, () -> {});
            // Behind all that has asked by then.
            CompletableFuture<Void> later = new CompletableFuture<>();
            housekeeping.later(LATE_MILLIS, () -> later.complete(null));
            later.join();
            isOutOfMemory.set(false);
            for (AtomicInteger each : List.of(dueLooks, looks, settingsRead, reaped, refreshed, followed)) {
                await().atMost(PATIENCE).untilAsserted(() -> assertThat(each).hasPositiveValue());
            }
        } finally {
            housekeeping.close();
        }
    }

    /** As where its expired messages are to go to a queue whose name is too long for the database, or somebody holds a lock. */
    @ParameterizedTest
    @EnumSource(
            value = Failure.class,
            names = {"DATA", "LOCK_TIMEOUT"})
    void what_has_expired_elsewhere_is_removed_though_one_queue_fails(Failure kind) {
        Set<Object> removedFrom = ConcurrentHashMap.newKeySet();
        StoreException failure = new StoreException(kind, "made to fail", null);
        Housekeeping housekeeping = housekeeping((method, arguments) -> switch (method) {
            case "queuesWithExpired" -> new TreeMap<>(Map.of(1, "bad", 2, "good"));
            case "removeExpired" -> {
                if (arguments[0].equals(1)) {
                    throw failure;
                }
                removedFrom.add(arguments[0]);
                yield 1;
            }
            default -> nothing(method);
        });
        try {
            housekeeping.start(back -> {}, () -> {}, () -> {}, () -> {}, () -> {});
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(removedFrom).containsExactly(2));
            await().atMost(PATIENCE).until(() -> !housekeeping.isAllowedAll());
        } finally {
            housekeeping.close();
        }
    }

    @Test
    void queue_that_fails_is_not_forgotten_while_others_have_much_to_be_removed() throws Exception {
        StoreException failure = new StoreException(Failure.DATA, "made to fail", null);
        AtomicInteger rounds = new AtomicInteger();
        CompletableFuture<Housekeeping> itself = new CompletableFuture<>();
        CompletableFuture<Boolean> isAllowed = new CompletableFuture<>();
        Housekeeping housekeeping = housekeeping((method, arguments) -> switch (method) {
            case "queuesWithExpired" -> {
                // The first round ends with the failure, the second one leaves more.
                if (rounds.incrementAndGet() == 3) {
                    isAllowed.complete(itself.join().isAllowedAll());
                }
                yield new TreeMap<>(Map.of(1, "bad", 2, "good"));
            }
            case "removeExpired" -> {
                if (arguments[0].equals(1)) {
                    throw failure;
                }
                yield rounds.get() == 2 ? 500 : 1;
            }
            default -> nothing(method);
        });
        try {
            itself.complete(housekeeping);
            housekeeping.start(back -> {}, () -> {}, () -> {}, () -> {}, () -> {});
            assertThat(isAllowed.get(1, TimeUnit.MINUTES)).isFalse();
        } finally {
            housekeeping.close();
        }
    }
}
