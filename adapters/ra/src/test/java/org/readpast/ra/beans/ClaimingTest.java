package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Message;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.session.ContainerConsumer;

/** A worker holds up the claims of others, of which one waits for the connection that the worker has. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClaimingTest {

    private final Claiming claiming = new Claiming();
    private final Object worker = new Object();
    private final Message message = BeanServer.answering(Message.class, Map.of());

    private static ContainerConsumer consumer(BeanServer.Answer receive) {
        return BeanServer.answering(ContainerConsumer.class, Map.of("receiveNoWait", receive));
    }

    private Message claim() {
        try {
            return claiming.claim(consumer(arguments -> message));
        } catch (jakarta.jms.JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nobody_claims_from_then_on_until_it_is_released() {
        assertThat(claim()).isSameAs(message);
        claiming.hold(worker);
        assertThat(claiming.isHeldBy(worker)).isTrue();
        assertThat(claim()).isNull();
        claiming.hold(new Object());
        assertThat(claiming.isHeldBy(worker)).as("who came first").isTrue();
        claiming.release();
        assertThat(claim()).isSameAs(message);
    }

    @Test
    void claim_that_waits_for_the_holder_does_not_keep_it_waiting_for_ever() throws Exception {
        CountDownLatch claims = new CountDownLatch(1);
        CountDownLatch connection = new CountDownLatch(1);
        CompletableFuture<Message> waits = new CompletableFuture<>();
        Thread other = new Thread(() -> {
            try {
                waits.complete(claiming.claim(consumer(arguments -> {
                    claims.countDown();
                    connection.await();
                    return message;
                })));
            } catch (jakarta.jms.JMSException e) {
                waits.completeExceptionally(e);
            }
        });
        other.start();
        claims.await();
        Thread holder = new Thread(() -> claiming.hold(worker));
        holder.start();
        await().atMost(Duration.ofSeconds(60)).until(claiming::isHeld);
        assertThat(claim()).isNull();
        await().atMost(Duration.ofSeconds(60)).until(() -> !holder.isAlive());
        connection.countDown();
        assertThat(waits.get(60, TimeUnit.SECONDS)).isSameAs(message);
    }
}
