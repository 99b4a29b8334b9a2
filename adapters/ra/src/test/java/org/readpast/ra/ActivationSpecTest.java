package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.resource.spi.InvalidPropertyException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.readpast.jms.destination.ReadpastQueue;

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

    @Test
    void properties_of_other_adapters_are_passed_over_unless_they_change_what_is_received() {
        assertThatCode(() -> {
                    ReadpastActivationSpec spec = queue();
                    spec.setHA("true");
                    spec.setSetupAttempts("-1");
                    spec.setReconnectAttempts("-1");
                    spec.setMaxMessagesPerSessions("10");
                    spec.setNoLocal("false");
                    spec.validate();
                })
                .doesNotThrowAnyException();
        refused(topic(), spec -> spec.setNoLocal("true"), "noLocal", "'true'", "messageSelector");
        refused(
                queue(),
                spec -> spec.setMaximumRedeliveries("3"),
                "maximumRedeliveries",
                "redelivery.maximumDeliveries");
        refused(queue(), spec -> spec.setQueuePrefix("jms."), "queuePrefix", "destination");
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
