package org.readpast.jms.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.engine.session.SendCompletion;
import org.readpast.jms.message.JmsTextMessage;

@Timeout(120)
class PendingSendsTest {

    private final AtomicReference<Thread> inCallback = new AtomicReference<>();
    private final PendingSends sends = new PendingSends(inCallback);
    private final Message message = new JmsTextMessage();

    @Test
    void the_callback_gets_the_senders_own_object() throws Exception {
        CompletableFuture<Message> told = new CompletableFuture<>();
        send(told::complete).completed();
        assertThat(told).isCompletedWithValue(message);
    }

    @Test
    void closing_waits_until_the_callback_has_returned() throws Exception {
        CountDownLatch mayReturn = new CountDownLatch(1);
        AtomicBoolean returned = new AtomicBoolean();
        SendCompletion completion = send(sent -> {
            awaitQuietly(mayReturn);
            returned.set(true);
        });
        CompletableFuture<Void> engine = CompletableFuture.runAsync(completion::completed);
        CompletableFuture<Boolean> closing = CompletableFuture.supplyAsync(this::await);
        assertThat(closing).isNotDone();
        mayReturn.countDown();
        assertThat(closing.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(returned).isTrue();
        engine.join();
    }

    @Test
    void a_callback_that_closes_its_own_producer_is_refused() throws Exception {
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        send(sent -> {
                    try {
                        sends.await(60_000);
                    } catch (JMSException problem) {
                        refusal.complete(problem);
                    }
                })
                .completed();
        assertThat(refusal.getNow(null)).isInstanceOf(IllegalStateException.class);
        sends.await(60_000);
    }

    @Test
    void a_callback_may_close_another_producer_only_where_that_has_nothing_to_wait_for() throws Exception {
        PendingSends idle = new PendingSends(inCallback);
        PendingSends busy = new PendingSends(inCallback);
        CompletableFuture<SendCompletion> unfinished = new CompletableFuture<>();
        busy.send(message, listener(sent -> {}), unfinished::complete);
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        send(sent -> {
                    try {
                        idle.await(60_000);
                        busy.await(60_000);
                    } catch (JMSException problem) {
                        refusal.complete(problem);
                    }
                })
                .completed();
        assertThat(refusal.getNow(null)).isInstanceOf(IllegalStateException.class);
        unfinished.join().completed();
        busy.await(60_000);
    }

    @Test
    void a_callback_that_fails_holds_up_nobody() throws Exception {
        SendCompletion completion = send(sent -> {
            throw new java.lang.IllegalStateException("the application's own");
        });
        assertThatThrownBy(completion::completed).hasMessage("the application's own");
        sends.await(60_000);
    }

    @Test
    void a_send_that_was_refused_is_not_waited_for() throws Exception {
        JMSException refusal = new JMSException("closed");
        assertThatThrownBy(() -> sends.send(message, listener(sent -> {}), completion -> {
                    throw refusal;
                }))
                .isSameAs(refusal);
        sends.await(60_000);
    }

    private SendCompletion send(Consumer<Message> callback) throws JMSException {
        CompletableFuture<SendCompletion> completion = new CompletableFuture<>();
        sends.send(message, listener(callback), completion::complete);
        return completion.join();
    }

    private boolean await() {
        try {
            sends.await(60_000);
            return true;
        } catch (JMSException refused) {
            return false;
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        }
    }

    private static CompletionListener listener(Consumer<Message> callback) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message sent) {
                callback.accept(sent);
            }

            @Override
            public void onException(Message unsent, Exception problem) {
                throw new AssertionError(problem);
            }
        };
    }
}
