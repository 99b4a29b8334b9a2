package org.readpast.jms.engine.bell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.engine.arrival.Waiter;

/** Which JVM looks for messages for all: with real sockets of this machine, and looks that find what the test says. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedLooksTest {

    private static final int QUEUE = 7;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** In which each is told twice who looks. */
    private static final Duration A_WHILE = Duration.ofMillis(1_500);

    private final List<Jvm> jvms = new ArrayList<>();

    @AfterEach
    void close() {
        jvms.forEach(Jvm::close);
    }

    private Jvm[] start(int count, String... options) {
        Stream.generate(() -> new Jvm(options)).limit(count).forEach(jvms::add);
        Jvm[] all = jvms.toArray(Jvm[]::new);
        Jvm.startAll(all);
        return all;
    }

    /** The one that looks for all others, which look seldom. */
    private Jvm awaitLeader(Jvm... all) {
        return await().atMost(PATIENCE)
                .until(
                        () -> {
                            look(all);
                            return Stream.of(all)
                                    .filter(each -> !each.bell.lookForThis())
                                    .toList();
                        },
                        leaders -> leaders.size() == 1)
                .get(0);
    }

    /** Who has not looked for a second and a quarter, as where the machine is busy, looks for nobody. */
    private static void look(Jvm... all) {
        Stream.of(all).forEach(each -> each.bell.looked(Set.of()));
    }

    @Test
    void one_looks_for_what_all_wait_for() {
        Jvm[] all = start(3);
        for (int i = 0; i < all.length; i++) {
            all[i].wait(QUEUE + i, false);
        }
        Jvm leader = awaitLeader(all);
        await().atMost(PATIENCE).untilAsserted(() -> {
            look(all);
            for (int i = 0; i < all.length; i++) {
                if (all[i] != leader) {
                    assertThat(leader.bell.toLookFor()).contains(QUEUE + i);
                    assertThat(all[i].bell.toLookFor()).isEmpty();
                }
            }
        });
    }

    @Test
    void another_one_does_when_it_is_gone() {
        Jvm[] all = start(3);
        Jvm leader = awaitLeader(all);
        leader.close();
        Jvm[] rest = Stream.of(all).filter(each -> each != leader).toArray(Jvm[]::new);
        await().atMost(PATIENCE).until(() -> Stream.of(rest).noneMatch(each -> each.bell.lookForThis()));
        assertThat(awaitLeader(rest)).isNotSameAs(leader);
    }

    /** As after the database was away, or while its own consumers are at work. */
    @Test
    void one_that_does_not_look_any_more_looks_for_nobody() {
        Jvm[] all = start(2);
        awaitLeader(all);
        await().atMost(PATIENCE).until(() -> Stream.of(all).noneMatch(each -> each.bell.lookForThis()));
        assertThat(all[0].bell.toLookFor()).isEmpty();
        assertThat(all[1].bell.toLookFor()).isEmpty();
    }

    @Test
    void one_that_may_not_remove_what_has_expired_leaves_it_to_others() {
        Jvm[] all = start(2);
        Jvm first = awaitLeader(all);
        first.mayLead.set(false);
        await().atMost(PATIENCE).until(() -> awaitLeader(all) != first);
    }

    /** What an administrator has set since is read by the one that looks, and by others when they differ. */
    @Test
    void one_that_keeps_to_other_settings_is_looked_for_no_more() {
        Jvm[] all = start(3);
        Jvm leader = awaitLeader(all);
        leader.settings.set(5);
        await().atMost(PATIENCE).until(() -> Stream.of(all).noneMatch(each -> each.bell.lookForThis()));
        Stream.of(all).forEach(each -> each.settings.set(5));
        assertThat(awaitLeader(all)).isSameAs(leader);
    }

    @Test
    void one_whose_lock_nobody_holds_is_looked_for_no_more() {
        Jvm[] all = start(3);
        Jvm leader = awaitLeader(all);
        Jvm missing = all[0] == leader ? all[1] : all[0];
        leader.bell.missing(List.of(missing.row().instance()));
        awaitThatOnlyThisIsLeftAlone(missing, leader, all);
        leader.bell.missing(List.of());
        assertThat(awaitLeader(all)).isSameAs(leader);
    }

    private static void awaitThatOnlyThisIsLeftAlone(Jvm alone, Jvm leader, Jvm... all) {
        await().atMost(PATIENCE).during(A_WHILE).until(() -> {
            look(all);
            return Stream.of(all).allMatch(each -> each.bell.lookForThis() == (each != alone && each != leader));
        });
    }

    /** It is known to the other one with the next datagram, which may be lost. */
    @Test
    void consumer_of_which_the_other_does_not_know_yet_is_looked_for_here() {
        Jvm[] all = start(2);
        Jvm leader = awaitLeader(all);
        Jvm other = all[0] == leader ? all[1] : all[0];
        other.arrivals.onWaiting((destinationId, every) -> {
            // Lost.
        });
        other.wait(QUEUE, false);
        boolean isLookedFor = other.bell.lookForThis();
        // Said again within five seconds, which may be over by now.
        boolean isKnown = leader.bell.awaiting(QUEUE) == 1;
        assertThat(isLookedFor && !isKnown).isFalse();
        assertThat(awaitLeader(all)).isSameAs(leader);
        await().atMost(PATIENCE).untilAsserted(() -> {
            look(all);
            assertThat(leader.bell.toLookFor()).containsExactly(QUEUE);
        });
    }

    @Test
    void one_that_looks_less_often_than_this_one_is_no_help() {
        Jvm seldom = new Jvm("pollCeilingMillis=10000");
        Jvm seldomToo = new Jvm("pollCeilingMillis=10000");
        Jvm often = new Jvm("pollCeilingMillis=250");
        jvms.addAll(List.of(seldom, seldomToo, often));
        Jvm.startAll(seldom, seldomToo, often);
        await().atMost(PATIENCE).until(() -> {
            seldom.bell.looked(Set.of());
            return seldomToo.bell.lookForThis();
        });
        await().atMost(PATIENCE).during(A_WHILE).until(() -> !often.bell.lookForThis());
    }

    @Test
    void what_a_look_finds_wakes_one_that_takes_anything_and_all_that_select() throws Exception {
        Jvm[] all = start(3);
        List<Waiter> plain = Stream.of(all).map(each -> each.wait(QUEUE, false)).toList();
        List<Waiter> selecting =
                Stream.of(all).map(each -> each.wait(QUEUE + 1, true)).toList();
        Jvm leader = awaitLeader(all);
        int own = List.of(all).indexOf(leader);
        leader.bell.looked(Set.of(QUEUE, QUEUE + 1));
        for (int i = 0; i < all.length; i++) {
            if (i != own) {
                assertThat(selecting.get(i).await(System.nanoTime() + PATIENCE.toNanos()))
                        .isTrue();
            }
        }
        List<Waiter> woken = new ArrayList<>();
        await().atMost(PATIENCE).until(() -> {
            for (Waiter each : plain) {
                if (each.await(System.nanoTime())) {
                    woken.add(each);
                }
            }
            return !woken.isEmpty();
        });
        assertThat(woken).hasSize(1).doesNotContain(plain.get(own));
    }
}
