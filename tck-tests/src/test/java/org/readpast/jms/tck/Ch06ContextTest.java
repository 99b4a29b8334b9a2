package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;

/** §2.6, §6.1, §6.2: JMSContext, the connection and session of the simplified API. */
@OfTheClient
class Ch06ContextTest {

    @ContractTest
    void context_without_mode_acknowledges_automatically(Jms jms) {
        JMSContext context = jms.closeAfterwards(jms.factory().createContext());
        assertThat(context.getSessionMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
        assertThat(context.getTransacted()).isFalse();
    }

    @ContractTest
    void context_knows_every_mode(Jms jms) {
        for (int mode : new int[] {
            JMSContext.AUTO_ACKNOWLEDGE,
            JMSContext.CLIENT_ACKNOWLEDGE,
            JMSContext.DUPS_OK_ACKNOWLEDGE,
            JMSContext.SESSION_TRANSACTED
        }) {
            JMSContext context = jms.context(mode);
            assertThat(context.getSessionMode()).isEqualTo(mode);
            assertThat(context.getTransacted()).isEqualTo(mode == JMSContext.SESSION_TRANSACTED);
        }
    }

    /** ConnectionFactory.createContext: a mode that is not one of the four is a JMSRuntimeException. */
    @ContractTest
    void context_refuses_a_mode_that_does_not_exist(Jms jms) {
        assertThatThrownBy(() -> jms.context(42)).isInstanceOf(JMSRuntimeException.class);
        JMSContext context = jms.context();
        assertThatThrownBy(() -> context.createContext(42)).isInstanceOf(JMSRuntimeException.class);
    }

    @ContractTest
    void context_is_made_with_credentials(Jms jms) {
        JMSContext plain = jms.closeAfterwards(
                jms.factory().createContext(jms.target().user(), jms.target().password()));
        assertThat(plain.getSessionMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
        JMSContext transacted = jms.closeAfterwards(jms.factory()
                .createContext(jms.target().user(), jms.target().password(), JMSContext.SESSION_TRANSACTED));
        assertThat(transacted.getTransacted()).isTrue();
    }

    @ContractTest
    void context_sends_and_receives(Jms jms) throws Exception {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), "sent");
        assertThat(Jms.text(jms.receive(context.createConsumer(jms.queue())))).isEqualTo("sent");
    }

    @ContractTest
    void context_commits_and_rolls_back(Jms jms) throws Exception {
        JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
        context.createProducer().send(jms.queue(), "never");
        context.rollback();
        context.createProducer().send(jms.queue(), "sent");
        context.commit();
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThat(Jms.text(jms.receive(consumer))).isEqualTo("sent");
        context.rollback();
        Message again = jms.receive(consumer);
        assertThat(again.getJMSRedelivered()).isTrue();
        context.commit();
        context.close();
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    void context_acknowledges_and_recovers(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = context.createConsumer(jms.queue());
        jms.receive(consumer);
        context.recover();
        Message again = jms.receive(consumer);
        assertThat(Jms.text(again)).isEqualTo("first");
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        context.acknowledge();
        context.close();
        jms.assertHolds(jms.queue(), "second");
    }

    /** JMSContext.acknowledge: no effect where acknowledgement is automatic or by commit. */
    @ContractTest
    void acknowledge_of_other_modes_is_ignored(Jms jms) {
        assertThatCode(() -> jms.context().acknowledge()).doesNotThrowAnyException();
        assertThatCode(() -> jms.context(JMSContext.SESSION_TRANSACTED).acknowledge())
                .doesNotThrowAnyException();
    }

    /** The unchecked exceptions match the checked ones. */
    @ContractTest
    void commit_rollback_and_recover_need_their_mode(Jms jms) {
        JMSContext automatic = jms.context();
        assertThatThrownBy(automatic::commit).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(automatic::rollback).isInstanceOf(IllegalStateRuntimeException.class);
        JMSContext transacted = jms.context(JMSContext.SESSION_TRANSACTED);
        assertThatThrownBy(transacted::recover).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @ContractTest
    void errors_of_arguments_are_unchecked(Jms jms) {
        JMSContext context = jms.context();
        assertThatThrownBy(() -> context.createConsumer(null)).isInstanceOf(InvalidDestinationRuntimeException.class);
        assertThatThrownBy(() -> context.createConsumer(jms.queue(), "not a selector"))
                .isInstanceOf(InvalidSelectorRuntimeException.class);
        assertThatThrownBy(() -> context.createBrowser(null)).isInstanceOf(InvalidDestinationRuntimeException.class);
        Queue foreign = () -> "foreign";
        assertThatThrownBy(() -> context.createConsumer(foreign))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @ContractTest
    void closed_context_is_of_no_use(Jms jms) {
        JMSContext context = jms.context();
        context.close();
        assertThatThrownBy(() -> context.createConsumer(jms.queue())).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.createProducer().send(jms.queue(), "never"))
                .isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::createTextMessage).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.createQueue("any")).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::start).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::stop).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::acknowledge).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::recover).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatCode(context::close).doesNotThrowAnyException();
    }

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§6.2.15", why = "lets a closed context make another")
    void closed_context_makes_no_other(Jms jms) {
        JMSContext context = jms.context();
        context.close();
        assertThatThrownBy(() -> context.createContext(JMSContext.AUTO_ACKNOWLEDGE))
                .isInstanceOf(IllegalStateRuntimeException.class);
    }

    @ContractTest
    void closed_transacted_context_neither_commits_nor_rolls_back(Jms jms) {
        JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
        context.close();
        assertThatThrownBy(context::commit).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::rollback).isInstanceOf(IllegalStateRuntimeException.class);
    }

    /** §6.2.15: close of a transacted context rolls back. */
    @ContractTest
    void close_rolls_back(Jms jms) throws Exception {
        jms.send(jms.queue("in"), "request");
        JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
        jms.receive(context.createConsumer(jms.queue("in")));
        context.createProducer().send(jms.queue("out"), "never");
        context.close();
        jms.assertHolds(jms.queue("in"), "request");
        jms.assertEmpty(jms.queue("out"));
    }

    /** §6.2.15: the connection is closed with the last of its contexts. */
    @ContractTest
    void connection_lives_as_long_as_one_of_its_contexts(Jms jms) throws Exception {
        JMSContext first = jms.context();
        JMSContext second = jms.closeAfterwards(first.createContext(JMSContext.CLIENT_ACKNOWLEDGE));
        first.close();
        assertThat(second.getSessionMode()).isEqualTo(JMSContext.CLIENT_ACKNOWLEDGE);
        jms.send(jms.queue(), "sent");
        assertThat(Jms.text(jms.receive(second.createConsumer(jms.queue())))).isEqualTo("sent");
        second.acknowledge();
    }

    /** JMSContext.createContext: the same connection, so the same client identifier. */
    @ContractTest
    void second_context_shares_the_client_id(Jms jms) {
        JMSContext first = jms.context();
        first.setClientID(jms.uniqueName(""));
        JMSContext second = jms.closeAfterwards(first.createContext(JMSContext.AUTO_ACKNOWLEDGE));
        assertThat(second.getClientID()).isEqualTo(jms.uniqueName(""));
    }

    /** Contexts of one connection are stopped together. */
    @ContractTest
    void stop_concerns_all_contexts_of_the_connection(Jms jms) throws Exception {
        JMSContext first = jms.context();
        JMSContext second = jms.closeAfterwards(first.createContext(JMSContext.AUTO_ACKNOWLEDGE));
        JMSConsumer consumer = second.createConsumer(jms.queue());
        first.stop();
        jms.send(jms.queue(), "sent");
        jms.assertNothingArrives(consumer);
        first.start();
        assertThat(Jms.text(jms.receive(consumer))).isEqualTo("sent");
    }

    @ContractTest
    void context_has_an_exception_listener(Jms jms) {
        JMSContext context = jms.context();
        assertThat(context.getExceptionListener()).isNull();
        jakarta.jms.ExceptionListener listener = problem -> {};
        context.setExceptionListener(listener);
        assertThat(context.getExceptionListener()).isSameAs(listener);
    }

    @ContractTest
    void context_delivers_to_listeners(Jms jms) throws Exception {
        JMSContext context = jms.context();
        Inbox inbox = new Inbox();
        context.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first", "second");
        assertThat(inbox.nextTexts(2)).containsExactly("first", "second");
    }

    /** §6.1.5: of the two behaviours permitted, both Readpast and the reference refuse. */
    @ContractTest
    void stop_within_the_contexts_own_listener_is_refused(Jms jms) throws Exception {
        JMSContext context = jms.context();
        Inbox inbox = new Inbox(message -> {
            assertThatThrownBy(context::stop).isInstanceOf(IllegalStateRuntimeException.class);
        });
        context.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first");
        Inbox.Heard heard = inbox.next();
        assertThat(heard.deliveryCount()).isEqualTo(1);
        inbox.assertNothingMore();
    }

    /** §6.1.8: a context that has its connection for itself would close that connection. */
    @ContractTest
    void close_within_the_contexts_own_listener_is_refused(Jms jms) throws Exception {
        JMSContext context = jms.context();
        Inbox inbox = new Inbox(message -> {
            assertThatThrownBy(context::close).isInstanceOf(IllegalStateRuntimeException.class);
        });
        context.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first");
        Inbox.Heard heard = inbox.next();
        assertThat(heard.deliveryCount()).isEqualTo(1);
        inbox.assertNothingMore();
    }

    /** §6.2.15: the connection would go on, but not the session whose listener is running. */
    @ContractTest
    void close_of_a_further_context_within_its_own_listener_is_refused(Jms jms) throws Exception {
        JMSContext context = jms.closeAfterwards(jms.context().createContext(JMSContext.AUTO_ACKNOWLEDGE));
        Inbox inbox = new Inbox(message -> {
            assertThatThrownBy(context::close).isInstanceOf(IllegalStateRuntimeException.class);
        });
        context.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first", "second");
        assertThat(inbox.nextTexts(2)).containsExactly("first", "second");
    }

    @ContractTest
    void close_ends_a_pending_receive_with_null(Jms jms) throws Exception {
        JMSContext context = jms.context();
        JMSConsumer consumer = context.createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(consumer::receive);
        receiving.awaitInside("receive");
        context.close();
        assertThat(receiving.result()).isNull();
    }

    /** §2.6.1 */
    @ContractTest
    void context_makes_every_kind_of_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        List<Message> messages = new ArrayList<>(List.of(
                context.createMessage(),
                context.createTextMessage(),
                context.createTextMessage("text"),
                context.createBytesMessage(),
                context.createMapMessage(),
                context.createStreamMessage(),
                context.createObjectMessage(),
                context.createObjectMessage("object")));
        assertThat(messages).doesNotContainNull();
        assertThat(((TextMessage) messages.get(2)).getText()).isEqualTo("text");
    }

    @ContractTest
    void context_browses(Jms jms) throws Exception {
        jms.send(jms.queue(), "seen");
        JMSContext context = jms.context();
        assertThat(Jms.text((Message)
                        context.createBrowser(jms.queue()).getEnumeration().nextElement()))
                .isEqualTo("seen");
        jms.assertHolds(jms.queue(), "seen");
    }

    @ContractTest
    void try_with_resources_closes(Jms jms) {
        JMSContext kept;
        try (JMSContext context = jms.factory().createContext()) {
            kept = context;
            context.createProducer().send(jms.queue(), "sent");
        }
        assertThatThrownBy(kept::createTextMessage).isInstanceOf(IllegalStateRuntimeException.class);
    }
}
