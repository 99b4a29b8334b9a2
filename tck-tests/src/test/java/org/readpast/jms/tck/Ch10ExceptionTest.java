package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;
import static org.readpast.jms.tck.harness.TargetId.MEMORY;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import java.util.List;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;

/** §10: each checked exception has an unchecked twin, and one mistake is one of the two, depending on the API it is made in. */
@OfTheClient
class Ch10ExceptionTest {

    /** What is done wrong. */
    private interface Mistake {
        void make(Jms jms) throws Exception;
    }

    /**
     * One mistake in both APIs.
     *
     * @param checked the class that the classic API throws
     * @param unchecked the class that the simplified API throws
     */
    private record Pair(
            Class<? extends JMSException> checked, Mistake classic, Class<?> unchecked, Mistake simplified) {
        @Override
        public String toString() {
            return checked.getSimpleName();
        }
    }

    static List<Pair> pairs() {
        return List.of(
                new Pair(
                        IllegalStateException.class,
                        jms -> jms.session().commit(),
                        IllegalStateRuntimeException.class,
                        jms -> jms.context().commit()),
                new Pair(
                        InvalidClientIDException.class,
                        jms -> {
                            jms.client("c");
                            jms.client("c");
                        },
                        InvalidClientIDRuntimeException.class,
                        jms -> {
                            jms.client("d");
                            jms.context().setClientID(jms.uniqueName("d"));
                        }),
                new Pair(
                        InvalidDestinationException.class,
                        jms -> jms.session().createConsumer(null),
                        InvalidDestinationRuntimeException.class,
                        jms -> jms.context().createConsumer(null)),
                new Pair(
                        InvalidSelectorException.class,
                        jms -> jms.session().createConsumer(jms.queue(), "= 1"),
                        InvalidSelectorRuntimeException.class,
                        jms -> jms.context().createConsumer(jms.queue(), "= 1")),
                new Pair(
                        JMSSecurityException.class,
                        jms -> jms.factory().createConnection("nobody", "wrong").close(),
                        JMSSecurityRuntimeException.class,
                        jms -> jms.factory().createContext("nobody", "wrong").close()),
                new Pair(
                        MessageFormatException.class,
                        jms -> jms.session().createProducer(jms.queue()).send(null),
                        MessageFormatRuntimeException.class,
                        jms -> jms.context().createProducer().send(jms.queue(), (Message) null)),
                new Pair(
                        MessageNotWriteableException.class,
                        jms -> received(jms).setStringProperty("p", "x"),
                        MessageNotWriteableRuntimeException.class,
                        jms -> jms.context()
                                .createProducer()
                                .setProperty("p", "x")
                                .send((Destination) jms.queue(), received(jms))));
    }

    private static Message received(Jms jms) throws Exception {
        jms.send(jms.queue(), "sent");
        return jms.receive(jms.session().createConsumer(jms.queue()));
    }

    /** §10.3 */
    @ContractTest
    @CasesFrom("pairs")
    @Deviation(
            target = ARTEMIS,
            clause = "§10.3",
            why = "throws a NullPointerException for a message that is null",
            cases = {"MessageFormatException"})
    @Deviation(
            target = MEMORY,
            clause = "§6.1.1",
            why = "it has no users, and takes whoever comes",
            cases = "JMSSecurityException")
    void mistake_is_checked_in_the_classic_api_and_unchecked_in_the_simplified_one(Jms jms, Pair pair) {
        assertThat(catchThrowable(() -> pair.classic().make(jms))).isExactlyInstanceOf(pair.checked());
        assertThat(catchThrowable(() -> pair.simplified().make(jms))).isExactlyInstanceOf(pair.unchecked());
    }

    /** §10.2: "a provider-specific string describing the error", and more where there is more to tell. */
    @ContractTest
    void exceptions_say_what_is_wrong(Jms jms) throws Exception {
        Connection connection = jms.connection();
        assertThatThrownBy(() -> connection.createSession().createConsumer(jms.queue(), "colour == 'red'"))
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessageContaining("colour");
        JMSContext context = jms.context();
        context.close();
        assertThatThrownBy(context::createMessage)
                .isInstanceOf(IllegalStateRuntimeException.class)
                .hasMessageContaining("closed");
    }
}
