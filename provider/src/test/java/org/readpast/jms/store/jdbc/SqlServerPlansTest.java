package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.jdbc.sql.SqlFiles;
import org.readpast.jms.strict.Declarations;

/**
 * SQL Server keeps a plan for each text with the types of its parameters. Whatever the lengths of texts, lists and bodies are, a
 * statement is one text, and its parameters have one type, or one for short values and one for long ones.
 */
@OnSqlServer
class SqlServerPlansTest extends StoreFixture {

    private static final String SETTINGS = "SET NOCOUNT OFF;";
    private static final List<Integer> LENGTHS = List.of(0, 1, 2, 35, 200, 4_000, 4_001, 8_000, 8_001, 30_000);
    private static final List<Integer> COUNTS = List.of(1, 2, 3, 100, 400);

    SqlServerPlansTest() {
        super(TestDatabase.SQL_SERVER);
    }

    @Test
    void each_statement_is_one_text_with_one_type_for_short_and_one_for_long_values() throws StoreException {
        for (int length : LENGTHS) {
            handleEach(length);
        }
        for (int count : COUNTS) {
            handleTogether(count);
        }

        Map<String, Set<String>> plans = plans();
        assertThat(plans)
                .containsKeys(
                        "insert_message_and_commit", "insert_message in a batch", "claim", "acknowledge", "browse");
        assertThat(plans)
                .allSatisfy((name, declared) -> assertThat(declared)
                        .hasSizeLessThanOrEqualTo(StatementVariantsTest.variants(name.replace(" in a batch", ""))));
    }

    private void handleEach(int length) throws StoreException {
        store.destination(DestinationKind.QUEUE, "q".repeat(Math.max(1, Math.min(length, 200))));
        EncodedMessage message = ofLength(length);
        store.insert(List.of(to(message)));
        store.insert(List.of(to(message, 60_000, 0), to(message)));
        store.insert(List.of(to(message, 0, 60_000)));
        store.insert(List.of(to(message, 0, 60_000), to(message, 60_000, 60_000)));
        for (String selector : selectors(length)) {
            store.browse(queue, null, 10, matching(selector, 1).selector());
            try (StoreTransaction transaction = store.transaction("test")) {
                transaction.claim(matching(selector, 10));
            }
        }
        drain();
    }

    private static List<String> selectors(int length) {
        String text = "c".repeat(length);
        return List.of(
                "JMSCorrelationID = '" + text + "'",
                "a = '" + text + "'",
                "JMSPriority > " + length,
                "JMSType IN ('" + text + "', 'b') AND JMSTimestamp < " + length);
    }

    private void handleTogether(int count) throws StoreException {
        EncodedMessage[] messages =
                IntStream.range(0, count).mapToObj(i -> message("m" + i)).toArray(EncodedMessage[]::new);
        sendTogether(messages);
        sendTogether(messages);
        try (StoreTransaction transaction = store.transaction("test")) {
            transaction.commit(acknowledging(transaction.claim(head(count))), head(count));
        }
        try (StoreTransaction transaction = store.transaction("test")) {
            transaction.commit(acknowledging(transaction.claim(head(count))), null);
        }
    }

    private EncodedMessage ofLength(int length) {
        String text = "t".repeat(length);
        return new EncodedMessage(
                "ID:" + text,
                "queue://" + queueName,
                text,
                text,
                text,
                2,
                4,
                length,
                0,
                length,
                null,
                "{\"a\":[\"string\",\"" + text + "\"]}",
                BodyKind.BYTES,
                new Body.Binary(new byte[length]));
    }

    /** The combinations of types by the name of the statement that they were declared for. */
    private Map<String, Set<String>> plans() {
        SqlFiles files = new SqlFiles("sqlserver", schema);
        Map<String, String> names = new HashMap<>();
        StatementVariantsTest.names()
                .forEach(name -> names.put(files.statement(name).text(), name));
        Map<String, Set<String>> plans = new TreeMap<>();
        Declarations.ofRun().byText().forEach((text, declared) -> {
            if (text.contains("[" + schema + "]")) {
                boolean isCall = text.startsWith(SETTINGS);
                String statement = isCall ? text.substring(SETTINGS.length()).strip() : text;
                assertThat(names).as("a text that is in no file").containsKey(statement);
                plans.put(names.get(statement) + (isCall ? "" : " in a batch"), new TreeSet<>(declared));
            }
        });
        return plans;
    }
}
