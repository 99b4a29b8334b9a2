package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What several threads do with one queue at once loses nothing, delivers nothing twice, and leaves nobody asleep beside a message. */
@Tag("lengthened")
class QueueRacesTest {

    private static final int SEEDS = Integer.getInteger("readpast.test.races", 12);

    /** What is claimed ahead of a consumer may come to another one, behind later messages. */
    private static final String NOTHING_AHEAD = "claimAhead=1&receiveAheadMillis=0";

    @Test
    void message_that_arrives_as_a_claim_finds_nothing_wakes_who_goes_to_sleep() throws Exception {
        Race.run(SEEDS, seed -> new Race() {
            @Override
            void prepare() throws Exception {
                for (String name : List.of("ann", "bob")) {
                    MessageConsumer consumer = consumer(session(Session.AUTO_ACKNOWLEDGE));
                    thread(name, () -> consumed(text(consumer.receive())));
                }
                Session sender = session(Session.SESSION_TRANSACTED);
                Session other = session(Session.AUTO_ACKNOWLEDGE);
                thread("sender", () -> {
                    send(sender, "a");
                    sender.commit();
                });
                thread("other", () -> send(other, "b"));
            }

            @Override
            void check() throws Exception {
                assertThat(consumed()).containsExactlyInAnyOrder("a", "b");
                assertThat(left()).isEmpty();
            }
        });
    }

    /** Whoever is woken for a message and does not take it has to wake the other one. */
    @Test
    void receive_that_is_closed_as_a_message_arrives_takes_it_or_leaves_it_to_another() throws Exception {
        Race.run(SEEDS, seed -> new Race() {
            @Override
            void prepare() throws Exception {
                MessageConsumer closing = consumer(session(Session.AUTO_ACKNOWLEDGE));
                MessageConsumer staying = consumer(session(Session.AUTO_ACKNOWLEDGE));
                Session sender = session(Session.AUTO_ACKNOWLEDGE);
                Session second = session(Session.AUTO_ACKNOWLEDGE);
                thread("closed", () -> {
                    String got = receiveUnlessClosed(closing);
                    consumed(got);
                    if (got != null) {
                        send(second, "b");
                    }
                });
                thread("staying", () -> consumed(text(staying.receive())));
                thread("closer", closing::close);
                thread("sender", () -> send(sender, "a"));
            }

            private String receiveUnlessClosed(MessageConsumer consumer) throws Exception {
                try {
                    return text(consumer.receive());
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("closed");
                    return null;
                }
            }

            @Override
            void check() throws Exception {
                assertThat(consumed()).isIn(List.of("a"), List.of("a", "b"));
                assertThat(left()).isEmpty();
            }
        });
    }

    @Test
    void listener_is_not_called_once_its_consumer_is_closed() throws Exception {
        Race.run(SEEDS, seed -> new Race() {
            private final AtomicBoolean closed = new AtomicBoolean();
            private final AtomicBoolean late = new AtomicBoolean();

            @Override
            void prepare() throws Exception {
                Session session = session(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = consumer(session);
                consumer.setMessageListener(message -> {
                    note(this, message);
                    late.compareAndSet(false, closed.get());
                });
                Session sender = session(Session.AUTO_ACKNOWLEDGE);
                thread("sender", () -> send(sender, "a", "b", "c"));
                thread("closer", () -> {
                    consumer.close();
                    closed.set(true);
                });
            }

            @Override
            void check() throws Exception {
                assertThat(late).isFalse();
                List<String> all = new ArrayList<>(consumed());
                all.addAll(left());
                assertThat(all).containsExactly("a", "b", "c");
            }
        });
    }

    @Test
    void connection_that_is_stopped_hands_nothing_out_until_it_is_started() throws Exception {
        Race.run(SEEDS, seed -> new Race() {
            private final AtomicBoolean stopped = new AtomicBoolean();
            private final AtomicBoolean late = new AtomicBoolean();

            @Override
            void prepare() throws Exception {
                Connection connection = connection();
                MessageConsumer listening = consumer(connection.createSession(Session.AUTO_ACKNOWLEDGE));
                listening.setMessageListener(message -> {
                    note(this, message);
                    late.compareAndSet(false, stopped.get());
                });
                Session sender = session(Session.AUTO_ACKNOWLEDGE);
                Session second = session(Session.AUTO_ACKNOWLEDGE);
                thread("sender", () -> send(sender, "a", "b", "c"));
                thread("stopper", () -> {
                    connection.stop();
                    stopped.set(true);
                    // Steps, between which the listener's thread may go on.
                    send(second, "d");
                    stopped.set(false);
                    connection.start();
                });
            }

            @Override
            void check() throws Exception {
                // The listener's thread may have been woken and not have run yet.
                await().until(() -> consumed().size() >= 4);
                assertThat(late).isFalse();
                assertThat(consumed())
                        .containsExactlyInAnyOrder("a", "b", "c", "d")
                        .containsSubsequence("a", "b", "c");
                assertThat(left()).isEmpty();
            }
        });
    }

    @Test
    void message_that_is_given_back_wakes_who_waits_for_it() throws Exception {
        Race.run(SEEDS, seed -> new Race() {
            @Override
            void prepare() throws Exception {
                Session holder = session(Session.SESSION_TRANSACTED);
                MessageConsumer holding = consumer(holder);
                MessageConsumer waiting = consumer(session(Session.AUTO_ACKNOWLEDGE));
                send(session(Session.AUTO_ACKNOWLEDGE), "a");
                assertThat(text(holding.receive())).isEqualTo("a");
                thread("waiting", () -> consumed(text(waiting.receive())));
                thread("holder", seed % 2 == 0 ? holder::rollback : holder::close);
            }

            @Override
            void check() throws Exception {
                assertThat(consumed()).containsExactly("a");
                assertThat(left()).isEmpty();
            }
        });
    }

    @Test
    void messages_that_were_claimed_ahead_wake_those_who_wait_when_they_come_back() throws Exception {
        Race.run(SEEDS, seed -> new Race() {
            @Override
            void prepare() throws Exception {
                int mode = seed % 2 == 0 ? Session.SESSION_TRANSACTED : Session.CLIENT_ACKNOWLEDGE;
                Session holder = session(mode);
                MessageConsumer holding = consumer(holder);
                List<MessageConsumer> waiting = List.of(
                        consumer(session(Session.AUTO_ACKNOWLEDGE)), consumer(session(Session.DUPS_OK_ACKNOWLEDGE)));
                Session sender = session(Session.SESSION_TRANSACTED);
                send(sender, "a", "b", "c");
                sender.commit();
                assertThat(text(holding.receive())).isEqualTo("a");
                thread("ann", () -> consumed(text(waiting.get(0).receive())));
                thread("bob", () -> consumed(text(waiting.get(1).receive())));
                thread("holder", () -> {
                    holding.close();
                    if (mode == Session.SESSION_TRANSACTED) {
                        holder.commit();
                    }
                    holder.close();
                });
            }

            @Override
            void check() throws Exception {
                List<String> all = new ArrayList<>(consumed());
                all.addAll(left());
                assertThat(all).contains("b", "c").doesNotHaveDuplicates();
            }
        });
    }

    @Test
    void consumers_that_commit_and_roll_back_get_each_message_once() throws Exception {
        Race.run(SEEDS, seed -> new Race() {
            @Override
            void prepare() throws Exception {
                for (String name : List.of("ann", "bob")) {
                    Session session = session(Session.SESSION_TRANSACTED);
                    MessageConsumer consumer = consumer(session);
                    thread(name, () -> {
                        String first = text(consumer.receive());
                        session.rollback();
                        List<String> kept = List.of(text(consumer.receive()), text(consumer.receive()));
                        session.commit();
                        assertThat(first).isNotNull();
                        kept.forEach(this::consumed);
                    });
                }
                send(session(Session.AUTO_ACKNOWLEDGE), "1", "2", "3", "4", "5");
            }

            @Override
            void check() throws Exception {
                List<String> all = new ArrayList<>(consumed());
                all.addAll(left());
                assertThat(all).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
            }
        });
    }

    @Test
    void consumers_that_share_a_queue_each_get_their_messages_in_order() throws Exception {
        Race.run(SEEDS, seed -> new Race(NOTHING_AHEAD) {
            @Override
            void prepare() throws Exception {
                send(session(Session.AUTO_ACKNOWLEDGE), "1", "2", "3");
                for (int mode : List.of(Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE)) {
                    MessageConsumer consumer = session(mode).createConsumer(queue());
                    thread("consumer" + mode, () -> {
                        List<String> mine = new ArrayList<>();
                        for (int i = 0; i < 3; i++) {
                            Message message = consumer.receive();
                            message.acknowledge();
                            mine.add(text(message));
                        }
                        assertThat(mine).isSorted();
                        mine.forEach(this::consumed);
                    });
                }
                Session sender = session(Session.SESSION_TRANSACTED);
                thread("sender", () -> {
                    send(sender, "4", "5", "6");
                    sender.commit();
                });
            }

            @Override
            void check() throws Exception {
                assertThat(consumed()).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
                assertThat(left()).isEmpty();
            }
        });
    }

    private static void note(Race race, Message message) {
        try {
            race.consumed(Race.text(message));
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }
}
