package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.resource.spi.work.Work;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.ra.Logged;

/** A server has no endpoint to give for a while, as one whose beans are all at work, or that is suspended. */
class UnavailableEndpointTest {

    private static final String URL = "readpast:jdbc:h2:mem:unavailable;DB_CLOSE_DELAY=-1#user=sa";
    private static final String QUEUE = "orders";
    private static final int REFUSALS = 3;

    @Test
    void message_waits_for_an_endpoint_and_no_delivery_is_counted() throws Exception {
        try (Logged log = new Logged(Outage.class);
                BeanServer server = new BeanServer(URL, REFUSALS);
                ReadpastConnectionFactory outside = new ReadpastConnectionFactory(URL);
                JMSContext context = outside.createContext()) {
            Runnable undeploy = server.deploy(QUEUE, 1);
            context.createProducer().send(context.createQueue(QUEUE), "coffee");
            Message message = server.given.poll(60, TimeUnit.SECONDS);
            assertThat(message).isNotNull();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isOne();
            undeploy.run();
            assertThat(server.asked).hasValueGreaterThan(REFUSALS);
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .singleElement()
                    .asString()
                    .contains("no endpoint for now");
            assertThat(context.createConsumer(context.createQueue(QUEUE)).receiveNoWait())
                    .as("acknowledged")
                    .isNull();
        }
    }

    /** The thread that was to see to further messages is missing; the message that is there has its own. */
    @Test
    void bean_goes_on_with_the_threads_that_it_has_where_the_server_refuses_another_one() throws Exception {
        String queue = "threads";
        try (BeanServer server = new BeanServer(URL, 0);
                ReadpastConnectionFactory outside = new ReadpastConnectionFactory(URL);
                JMSContext context = outside.createContext()) {
            Runnable undeploy = server.deploy(queue, 2);
            server.hasThreads = false;
            for (String text : List.of("coffee", "tea")) {
                context.createProducer().send(context.createQueue(queue), text);
                Message message = server.given.poll(60, TimeUnit.SECONDS);
                assertThat(message).as(text).isNotNull();
                assertThat(message.getBody(String.class)).isEqualTo(text);
            }
            undeploy.run();
            assertThat(context.createConsumer(context.createQueue(queue)).receiveNoWait())
                    .as("acknowledged")
                    .isNull();
        }
    }

    /** Threads that wait for messages of other beans may have them all, and never give one back. */
    @Test
    void bean_does_not_rely_on_a_thread_that_it_has_not_got_yet() throws Exception {
        String queue = "queued";
        try (Logged log = new Logged(Workers.class);
                BeanServer server = new BeanServer(URL, 0);
                ReadpastConnectionFactory outside = new ReadpastConnectionFactory(URL);
                JMSContext context = outside.createContext()) {
            Runnable undeploy = server.deploy(queue, 2);
            server.queues = true;
            context.createProducer().send(context.createQueue(queue), "coffee");
            assertThat(server.given.poll(60, TimeUnit.SECONDS)).isNotNull();
            assertThat(server.queued).hasSize(1);
            // Whoever comes upon this has had no message, and goes on only if it is the one that waits.
            server.errors.add(new InternalError("no memory for a thread"));
            context.createProducer().send(context.createQueue(queue), "tea");
            assertThat(server.given.poll(60, TimeUnit.SECONDS)).isNotNull();
            undeploy.run();
            assertThat(log.lines()).noneMatch(line -> line.contains("still being delivered"));
            // Late, and with nothing left to do.
            server.queued.forEach(Work::run);
        }
    }
}
