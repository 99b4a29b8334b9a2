package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Rows whose properties are no JSON object stop no procedure. On SQL Server alone, since the other databases refuse such rows by their
 * constraints.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlMalformedRowTest extends SqlQueueFixture {

    private static final int LONG = 3_600;

    private final String dead = "dead." + UUID.randomUUID();

    SqlMalformedRowTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers().filter(database -> database == TestDatabase.SQLSERVER);
    }

    @BeforeEach
    void createQueue() throws SQLException {
        procedures.call(sql, "create_queue", to(queue, "maximum_attempts", 1, "dead_letter_queue", dead));
    }

    private void spoil(String messageId, String properties) throws SQLException {
        try (PreparedStatement update = sql.prepareStatement(
                "SET NOCOUNT OFF; UPDATE [readpast].message SET properties = ? WHERE jms_message_id = ?")) {
            update.setString(1, properties);
            update.setString(2, messageId);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    private void bury(String messageId) throws SQLException {
        SqlRow claimed = procedures
                .rows(sql, "claim", to(queue, "lease_seconds", LONG, "worker", "worker"))
                .get(0);
        assertThat(claimed.text("jms_message_id")).isEqualTo(messageId);
        assertThat(procedures.did(sql, "fail", SqlQueue.with("claim_token", claimed.token())))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no json", "[1]", "{\"JMS_READPAST_Deliveries\":"})
    void message_without_attempts_left_is_a_dead_letter_as_it_is(String properties) throws Exception {
        String spoilt = send("body", "spoilt");
        sendAll("next");
        spoil(spoilt, properties);
        bury(spoilt);

        assertThat(bodies(receiveBatch(2))).containsExactly("next");
        try (PreparedStatement look = sql.prepareStatement(
                "SELECT name, properties, reason, deliveries FROM (SELECT m.jms_message_id, d.name, m.properties, u.reason,"
                        + " u.deliveries FROM [readpast].message m"
                        + " JOIN [readpast].destination d ON d.destination_id = m.destination_id"
                        + " JOIN [readpast].unreadable_message u ON u.destination_id = m.destination_id"
                        + " AND u.priority_order = m.priority_order AND u.message_id = m.message_id) x"
                        + " WHERE jms_message_id = ?")) {
            look.setString(1, spoilt);
            assertThat(SqlRow.all(look.executeQuery())).singleElement().satisfies(row -> {
                assertThat(row.text("name")).isEqualTo(dead);
                assertThat(row.text("properties")).isEqualTo(properties);
                assertThat(row.text("reason")).contains("properties");
                assertThat(row.number("deliveries")).isEqualTo(1);
            });
        }
    }

    @Test
    void dead_letters_are_sent_back_whatever_one_of_them_has_for_properties() throws Exception {
        String spoilt = send("body", "spoilt");
        bury(spoilt);
        String sound = send("body", "sound");
        bury(sound);
        spoil(spoilt, "no json");

        assertThat(procedures.count(sql, "retry", to(dead))).isEqualTo(2);

        assertThat(bodies(receiveBatch(2))).containsExactly("spoilt", "sound");
    }

    @Test
    void conditions_on_properties_pass_it_by() throws Exception {
        spoil(send("body", "spoilt"), "no json");
        send("body", "sound", "properties", "{\"customer\":\"Ada\"}");

        assertThat(repair("purge", "property", "customer")).isEqualTo(1);

        assertThat(bodies(receiveBatch(2))).containsExactly("spoilt");
    }

    /** Where it came from is a topic, which nothing can come from. */
    @Test
    void dead_letter_of_no_queue_holds_up_no_others() throws Exception {
        String spoilt = send("body", "spoilt");
        bury(spoilt);
        String sound = send("body", "sound");
        bury(sound);
        try (PreparedStatement update =
                sql.prepareStatement("UPDATE [readpast].message SET origin_id = 0 WHERE jms_message_id = ?")) {
            update.setString(1, spoilt);
            update.executeUpdate();
        }
        spoil(spoilt, "{}");

        assertThat(procedures.count(sql, "retry", to(dead))).isEqualTo(1);

        assertThat(bodies(receiveBatch(2))).containsExactly("sound");
    }
}
