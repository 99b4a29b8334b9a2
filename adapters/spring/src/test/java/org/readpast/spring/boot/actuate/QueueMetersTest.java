package org.readpast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.jms.JMSContext;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;

class QueueMetersTest {

    @Test
    void meters_go_on_after_there_was_no_thread_for_a_look() throws Exception {
        AtomicBoolean refused = new AtomicBoolean();
        Executor executor = task -> {
            if (refused.compareAndSet(false, true)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        };
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory("readpast:jdbc:h2:mem:meters#user=sa");
                JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue("orders"), "coffee");
            MeterRegistry meters = new SimpleMeterRegistry();
            new QueueMeters(new MessageQueries(factory), executor).bindTo(meters);
            Gauge queues = meters.get("readpast.queues").gauge();
            assertThat(queues.value()).isNaN();
            assertThat(queues.value()).isEqualTo(1);
        }
    }
}
