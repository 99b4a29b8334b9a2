package org.readpast.jms.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.quicktheories.core.Gen;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.selector.Choices;
import org.readpast.jms.selector.RandomSelectors;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;

/**
 * What a database finds by a selector is what the selector's tree says of each message, in the order of the queue: whatever
 * part of the selector went down into SQL, and however the database compares text. Held against random messages and selectors.
 */
public abstract class SelectorsContract extends StoreContract {

    private static final int EXAMPLES = 200;
    private static final int MESSAGES = 8;
    private static final int SELECTORS = 6;

    private final Gen<List<Map<String, Object>>> messageLists =
            Choices.of(choices -> choices.listOf(MESSAGES, RandomSelectors::message));

    private final Gen<List<String>> selectorLists =
            Choices.of(choices -> choices.listOf(SELECTORS, each -> RandomSelectors.condition(each, 3)));

    protected SelectorsContract(Tables tables) {
        super(tables);
    }

    @Test
    void claims_and_browses_find_what_the_selector_matches() {
        AtomicInteger found = new AtomicInteger();
        Choices.theory(EXAMPLES).forAll(messageLists, selectorLists).checkAssert((messages, selectors) -> {
            try {
                found.addAndGet(assertFound(messages, selectors));
            } catch (StoreException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(found).as("messages found").hasValueGreaterThan(EXAMPLES);
    }

    private int assertFound(List<Map<String, Object>> messages, List<String> selectors) throws StoreException {
        drain();
        store.insert(IntStream.range(0, messages.size())
                .mapToObj(i -> to(encoded(i, messages.get(i))))
                .toList());
        int found = 0;
        for (String text : selectors) {
            Selector selector = RandomSelectors.parse(text);
            List<String> expected = inOrderOfTheQueue(messages).stream()
                    .filter(i -> selector.matches(messages.get(i)::get))
                    .map(String::valueOf)
                    .toList();
            assertThat(texts(store.browse(queue, null, MESSAGES + 1, selector).messages()))
                    .as("browsed: %s", text)
                    .isEqualTo(expected);
            try (StoreTransaction transaction = store.transaction("test")) {
                assertThat(texts(transaction.claim(ClaimRequest.fromHead(queue, MESSAGES + 1, selector))))
                        .as("claimed: %s", text)
                        .isEqualTo(expected);
            }
            found += expected.size();
        }
        return found;
    }

    private static List<Integer> inOrderOfTheQueue(List<Map<String, Object>> messages) {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, messages.size()).boxed().toList());
        order.sort(Comparator.comparing(i -> -(int) messages.get(i).get("JMSPriority")));
        return order;
    }

    private EncodedMessage encoded(int number, Map<String, Object> values) {
        Map<String, Object> properties = new HashMap<>(values);
        properties.keySet().removeIf(name -> name.startsWith("JMS") || values.get(name) == null);
        return new EncodedMessage(
                (String) values.get("JMSMessageID"),
                "queue://" + queueName,
                null,
                (String) values.get("JMSCorrelationID"),
                (String) values.get("JMSType"),
                values.get("JMSDeliveryMode").equals("PERSISTENT") ? 2 : 1,
                (int) values.get("JMSPriority"),
                (long) values.get("JMSTimestamp"),
                0,
                1_000,
                null,
                PropertiesJson.write(properties),
                BodyKind.TEXT,
                new Body.Text(String.valueOf(number)));
    }
}
