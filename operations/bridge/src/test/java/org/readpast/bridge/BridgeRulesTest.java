package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.readpast.bridge.batch.Batch;

class BridgeRulesTest {

    @Test
    void rules_are_read() {
        BridgeRules rules = BridgeRules.parse(List.of(
                "# The first night.",
                "name move-orders",
                "",
                "over orders   # to the same name",
                "over topic://prices?subscription=nightly&clientId=bank queue://nightly-prices",
                "back queue://answers topic://answers",
                "batch 50",
                "rate 200",
                "without-id at-least-once",
                "temporary-replies no",
                "pair-days 2"));

        assertThat(rules)
                .isEqualTo(new BridgeRules(
                        "move-orders",
                        List.of(
                                new Rule(Direction.OVER, Place.queue("orders"), Place.queue("orders")),
                                new Rule(
                                        Direction.OVER,
                                        new Place(true, "prices", "nightly", "bank"),
                                        Place.queue("nightly-prices")),
                                new Rule(
                                        Direction.BACK,
                                        Place.queue("answers"),
                                        new Place(true, "answers", null, null))),
                        50,
                        200,
                        false,
                        false,
                        2));
        assertThat(rules.rules().get(1))
                .hasToString("over topic://prices?subscription=nightly&clientId=bank queue://nightly-prices");
    }

    @Test
    void what_is_not_understood_is_named_with_its_line() {
        Map.of(
                        "overr orders", "line 2: 'overr' is not understood",
                        "over", "line 2: a rule is over SOURCE [TARGET]",
                        "over topic://prices q", "line 2: topic://prices is read without a durable subscription",
                        "batch many", "line 2: For input string: \"many\"",
                        "rate 1 2", "line 2: 'rate' takes one word",
                        "without-id perhaps", "line 2: 'perhaps' is neither refuse nor at-least-once",
                        "batch 0", "batch is from 1 to 10000",
                        "back orders\nover orders\nover orders queue://b", "two rules read the same place",
                        "over topic://p?subscription=a&clientId=bank q\nover topic://r?subscription=b&clientId=bank s",
                                "two rules use clientId 'bank'")
                .forEach((lines, message) -> assertThatThrownBy(() -> BridgeRules.parse(
                                ("name test\n" + lines + "\nover a").lines().toList()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(message));
        assertThatThrownBy(() -> BridgeRules.parse(List.of("over orders")))
                .hasMessageStartingWith("a bridge has a name");
        assertThatThrownBy(() -> BridgeRules.parse(List.of("name test"))).hasMessageStartingWith("there is no rule");
    }

    @Test
    void all_links_together_take_no_more_at_once_than_may_cross_in_a_second() {
        assertThat(most("over a")).isEqualTo(1000);
        assertThat(most("over a\nrate 500")).as("replies have two links").isEqualTo(166);
        assertThat(most("over a\nback b\nrate 500\ntemporary-replies no")).isEqualTo(250);
        assertThat(most("over a\nrate 500\nbatch 50")).isEqualTo(50);
        assertThat(most("over a\nback b\nrate 1")).isEqualTo(1);
    }

    private static int most(String lines) {
        return BridgeRules.parse(("name test\n" + lines).lines().toList()).most();
    }

    @Test
    void what_a_side_stores_is_read_again() {
        Batch batch = new Batch(7, 5, Set.of("ID:a", "ID:b"), Set.of("ID:old"));

        assertThat(Batch.parse(7, batch.text())).isEqualTo(batch);
        assertThat(Batch.parse(7, Batch.none(7).text())).isEqualTo(Batch.none(7));
        assertThat(batch.unsettled(7)).contains(Set.of("ID:old"));
        assertThat(batch.unsettled(5)).contains(Set.of("ID:a", "ID:b", "ID:old"));
        assertThat(batch.unsettled(6)).isEmpty();
    }
}
