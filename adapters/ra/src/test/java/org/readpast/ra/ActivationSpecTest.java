package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.resource.spi.InvalidPropertyException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.ra.beans.Subscription;

/** What is wrong with activation properties is told by their name, their value and the nearest valid one. */
class ActivationSpecTest {

    private static ReadpastActivationSpec queue() {
        ReadpastActivationSpec spec = new ReadpastActivationSpec();
        spec.setDestination("orders");
        spec.setDestinationType("jakarta.jms.Queue");
        return spec;
    }

    private static ReadpastActivationSpec topic() {
        ReadpastActivationSpec spec = queue();
        spec.setDestinationType("jakarta.jms.Topic");
        return spec;
    }

    private static void refused(ReadpastActivationSpec spec, Consumer<ReadpastActivationSpec> change, String... words) {
        change.accept(spec);
        assertThatThrownBy(spec::validate)
                .isInstanceOf(InvalidPropertyException.class)
                .message()
                .contains(words);
    }

    @Test
    void names_property_value_and_the_nearest_valid_one() {
        refused(
                queue(),
                spec -> spec.setDestinationType("jakarta.jms.Queu"),
                "destinationType",
                "jakarta.jms.Queu'",
                "nearest is 'jakarta.jms.Queue'");
        refused(queue(), spec -> spec.setAcknowledgeMode("auto"), "acknowledgeMode", "'auto'", "'Auto-acknowledge'");
        refused(topic(), spec -> spec.setSubscriptionDurability("durable"), "subscriptionDurability", "'Durable'");
        refused(queue(), spec -> spec.setMaxSession("many"), "maxSession", "'many'", "1");
        refused(queue(), spec -> spec.setMaxSession("0"), "maxSession", "'0'", "nearest valid one is 1");
        refused(queue(), spec -> spec.setMaxSession("5000"), "maxSession", "'5000'", "nearest valid one is 1000");
        refused(
                queue(),
                spec -> spec.setMaxSequentialDeliveryFailures("never"),
                "maxSequentialDeliveryFailures",
                "'never'",
                "nearest valid one is -1");
    }

    /** The server would take it for an outage otherwise, and try again for ever. */
    @Test
    void selector_that_is_none_is_told_with_what_is_wrong_in_it() throws Exception {
        refused(queue(), spec -> spec.setMessageSelector("kind = "), "messageSelector", "'kind ='", "position 7");
        refused(topic(), spec -> spec.setMessageSelector("kind in 'a'\nor"), "messageSelector", "in 'a'\\u000aor");
        ReadpastActivationSpec spec = queue();
        spec.setMessageSelector("kind in ('a', 'b') and JMSPriority > 4");
        spec.validate();
        spec.setMessageSelector(" ");
        spec.validate();
    }

    @Test
    void destination_that_nothing_is_received_from_is_told() {
        refused(queue(), spec -> spec.setDestination("orders,invoices"), "destination", "'orders,invoices'", "one of");
        refused(
                topic(),
                spec -> spec.setDestination("news?consumer.prefetchSiz=1"),
                "destination",
                "'news?consumer.prefetchSiz=1'",
                "consumer.prefetchSize");
    }

    @Test
    void name_of_a_destination_may_be_written_with_its_scheme() throws Exception {
        ReadpastActivationSpec spec = queue();
        spec.setDestination("queue:///orders");
        spec.setUrl("readpast:jdbc:h2:mem:none");
        assertThat(spec.subscription().destination()).isEqualTo(new ReadpastQueue("orders"));
        refused(queue(), wrong -> wrong.setDestination("topic://news"), "destination", "'topic://news' names a topic");
    }

    /** As with other adapters, a name alone makes no subscription a durable one. */
    @Test
    void name_of_a_subscription_that_needs_none_is_passed_over() throws Exception {
        ReadpastActivationSpec spec = topic();
        spec.setSubscriptionName("readers");
        spec.setClientId("shop");
        spec.setUrl("readpast:jdbc:h2:mem:none");
        Subscription subscription = spec.subscription();
        assertThat(subscription.name()).isNull();
        assertThat(subscription.durable()).isFalse();
        assertThat(subscription.shared()).isFalse();
    }

    /** Open Liberty sets what it has found beside the name by which it was found. */
    @Test
    void destination_that_the_server_has_found_by_its_name_goes_with_that() throws Exception {
        ReadpastActivationSpec spec = queue();
        spec.setDestinationLookup("jms/orders");
        spec.setDestination(new ReadpastQueue("orders").toString());
        spec.validate();
    }

    @Test
    void names_what_is_missing_or_does_not_go_together() {
        refused(new ReadpastActivationSpec(), spec -> {}, "destinationLookup", "destination");
        refused(queue(), spec -> spec.setDestinationType(null), "destinationType", "'orders'");
        refused(queue(), spec -> spec.setDestinationLookup("java:/orders"), "Both", "java:/orders");
        refused(queue(), spec -> spec.setSubscriptionDurability("Durable"), "subscriptionDurability", "queue");
        refused(topic(), spec -> spec.setSubscriptionDurability("Durable"), "subscriptionName");
        refused(topic(), spec -> spec.setShareSubscriptions("true"), "subscriptionName");
        refused(
                topic(),
                spec -> {
                    spec.setSubscriptionDurability("Durable");
                    spec.setSubscriptionName("news");
                },
                "clientId",
                "shareSubscriptions");
    }

    @Test
    void database_is_named_as_it_has_to_be() {
        refused(queue(), spec -> spec.setDataSource("java:/Shop"), "dataSource", "java:/Shop", "url");
        refused(
                queue(),
                spec -> {
                    spec.setDataSource("java:/Shop");
                    spec.setUrl("readpast:java:/Shop#schema=mq");
                },
                "same DataSource",
                "java:/Shop");
        refused(
                queue(),
                spec -> {
                    spec.setConnectionFactoryLookup("java:/jms/ConnectionFactory");
                    spec.setUrl("readpast:java:/Own");
                },
                "Both",
                "'connectionFactoryLookup' ('java:/jms/ConnectionFactory')",
                "'url'");
        refused(queue(), spec -> spec.setUrl("readpast:java:/Own#shema=mq"), "shema", "schema");
        refused(
                queue(),
                spec -> {
                    spec.setUrl("readpast:java:/Own");
                    spec.setUser("scott");
                },
                "userName",
                "scott");
    }

    /** Servers hand over such a value where none is configured. */
    @Test
    void empty_value_is_none() throws Exception {
        for (String none : new String[] {null, "", " "}) {
            ReadpastActivationSpec spec = queue();
            spec.setAcknowledgeMode(none);
            spec.setSubscriptionDurability(none);
            spec.setShareSubscriptions(none);
            spec.setUseJNDI(none);
            spec.setMaxSession(none);
            spec.setMessageSelector(none);
            spec.validate();
            assertThat(spec.getSubscriptionDurability()).isEqualTo("NonDurable");
            assertThat(spec.getShareSubscriptions()).isEqualTo("false");
            assertThat(spec.getUseJNDI()).isEqualTo("false");
        }
    }

    @Test
    void old_names_and_spellings_are_understood() throws Exception {
        ReadpastActivationSpec spec = queue();
        spec.setDestinationType("javax.jms.Queue");
        spec.setAcknowledgeMode("DUPS_OK_ACKNOWLEDGE");
        spec.validate();
        assertThat(spec.getDestinationType()).isEqualTo("jakarta.jms.Queue");
        assertThat(spec.getAcknowledgeMode()).isEqualTo("Dups-ok-acknowledge");
    }
}
