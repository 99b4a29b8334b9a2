package org.readpast.jms.engine.bell;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.arrival.Waiter;
import org.readpast.jms.store.DatagramAddress;
import org.readpast.jms.store.Presence;

/** A bell with its consumers, as there is one in each JVM, and a row in a database that is not there. */
final class Jvm implements AutoCloseable {

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    final String name = "test-" + NUMBERS.incrementAndGet();
    final Arrivals arrivals = new Arrivals();
    final AtomicInteger asked = new AtomicInteger();
    final AtomicBoolean mayLead = new AtomicBoolean(true);
    final AtomicInteger settings = new AtomicInteger();

    /** What its bell's thread comes upon next; null for nothing. */
    final AtomicReference<Error> fault = new AtomicReference<>();

    final List<Integer> givenUp = new CopyOnWriteArrayList<>();
    final Bell bell;

    private final String instance = UUID.randomUUID().toString();
    private volatile List<Presence.Other> others = List.of();

    Jvm(String... options) {
        Map<String, String> given = new HashMap<>(Map.of("datagramAddress", "127.0.0.1"));
        for (String option : options) {
            given.put(option.split("=", 2)[0], option.split("=", 2)[1]);
        }
        bell = Bell.open(Settings.of(given), true, name, givenUp::add);
    }

    DatagramAddress address() {
        return bell.address();
    }

    Presence.Other row() {
        return new Presence.Other(instance, "host of " + name, bell.address());
    }

    Presence.Other row(DatagramAddress elsewhere) {
        return new Presence.Other(instance, "host of " + name, elsewhere);
    }

    void start(Presence.Other... rows) {
        others = List.of(rows);
        Presence presence = (Presence) Proxy.newProxyInstance(
                Presence.class.getClassLoader(),
                new Class<?>[] {Presence.class},
                (self, method, arguments) -> method.getName().equals("instance") ? instance : others);
        bell.start(presence, arrivals, asked::incrementAndGet, this::mayLead, settings::get, name);
    }

    private boolean mayLead() {
        Error due = fault.getAndSet(null);
        if (due != null) {
            throw due;
        }
        return mayLead.get();
    }

    /** All of them know of each other. */
    static void startAll(Jvm... jvms) {
        for (Jvm each : jvms) {
            each.start(java.util.stream.Stream.of(jvms)
                    .filter(other -> other != each)
                    .map(Jvm::row)
                    .toArray(Presence.Other[]::new));
        }
    }

    /** A consumer that has found nothing and waits. */
    Waiter wait(int destinationId, boolean selective) {
        Waiter waiter = new Waiter(selective);
        arrivals.enter(waiter, Map.of(destinationId, arrivals.mark(destinationId)));
        return waiter;
    }

    @Override
    public void close() {
        bell.close();
    }
}
