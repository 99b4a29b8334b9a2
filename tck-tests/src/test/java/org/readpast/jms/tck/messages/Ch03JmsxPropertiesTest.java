package org.readpast.jms.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.ConnectionMetaData;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.Line;
import org.readpast.jms.tck.harness.TargetId;

/** §3.5.9, §3.5.10: the properties whose names begin with JMS. */
class Ch03JmsxPropertiesTest {

    /** Names that belong to the specification, and that it has not given away. */
    static List<Named<Object>> reserved() {
        return Named.each("JMSXnew", "JMSXgroupid", "JMSfoo", "JMSPriority", "JMSDestination", "JMS");
    }

    @ContractTest
    @CasesFrom(value = "reserved", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.5.9, §3.8.1.1",
            why = "it takes names that begin with JMS for an application's own")
    void name_with_the_reserved_prefix_is_refused(Jms jms, Named<Object> name) throws Exception {
        Message message = jms.session().createMessage();
        assertThatThrownBy(() -> message.setStringProperty((String) name.value(), "x"))
                .isInstanceOfAny(JMSException.class, JMSRuntimeException.class);
    }

    /** §3.5.10: another provider's properties travel as an application's do. */
    @ContractTest
    void provider_specific_property_of_another_vendor_travels(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setStringProperty("JMS_ACME_hint", "x");
        assertThat(line.carry(sent).getStringProperty("JMS_ACME_hint")).isEqualTo("x");
    }

    /** Table 3-3: "Set by: provider on receive", whatever the sender wrote there. */
    @ContractTest
    void delivery_count_that_the_sender_had_set_does_not_travel(Jms jms) throws Exception {
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setIntProperty("JMSXDeliveryCount", 7);
        assertThat(line.carry(sent).getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    /** Those that the connection says it supports can be had: set by the client, or there at the receiver. */
    @ContractTest
    void every_property_that_the_connection_names_is_there(Jms jms) throws Exception {
        ConnectionMetaData meta = jms.stoppedConnection().getMetaData();
        Line line = Line.open(jms);
        Message sent = line.session().createMessage();
        sent.setStringProperty("JMSXGroupID", "g");
        sent.setIntProperty("JMSXGroupSeq", 1);
        Message received = line.carry(sent);
        Enumeration<?> names = meta.getJMSXPropertyNames();
        for (Object name : Collections.list(names)) {
            assertThat(received.propertyExists((String) name)).as("%s", name).isTrue();
        }
    }

    /** "JMSX properties may be referenced in message selectors whether or not they are supported by a connection." */
    @ContractTest
    void property_that_is_not_supported_is_absent_for_a_selector(Jms jms) throws Exception {
        Session session = jms.session();
        jms.send(jms.queue(), "sent");
        try (MessageConsumer none = session.createConsumer(jms.queue(), "JMSXState = 2 OR JMSXnew = 'x'")) {
            jms.assertNothingArrives(none);
        }
        MessageConsumer absent = session.createConsumer(jms.queue(), "JMSXState IS NULL AND JMSXnew IS NULL");
        assertThat(jms.receiveText(absent)).isEqualTo("sent");
    }
}
