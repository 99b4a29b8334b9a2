package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import jakarta.jms.JMSContext;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an application holds of a server's connection. */
class RestrictedTest {

    @Test
    void server_has_its_connection_back_where_a_context_cannot_be_closed_as_it_should() {
        AtomicInteger closed = new AtomicInteger();
        JMSContext failing = (JMSContext) Proxy.newProxyInstance(
                RestrictedTest.class.getClassLoader(),
                new Class<?>[] {JMSContext.class},
                (proxy, method, arguments) -> {
                    throw new IllegalStateException("the database does not answer");
                });
        JMSContext context = Restricted.restrict(JMSContext.class, failing, closed::incrementAndGet);
        assertThatIllegalStateException().isThrownBy(context::close).withMessageContaining("does not answer");
        assertThat(closed).hasValue(1);
    }
}
