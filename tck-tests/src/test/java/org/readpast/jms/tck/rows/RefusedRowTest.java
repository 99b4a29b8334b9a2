package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * What a column can never hold is refused by the database, whoever writes it, and so is a length that is not the body's. Not on SQL
 * Server, where a table with a CHECK constraint cannot be what OUTPUT INTO writes to.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedRowTest {

    private static final String SCHEMA = "refused_" + Long.toString(System.nanoTime(), 36);

    private final RowTable table;
    private final ReadpastConnectionFactory factory;

    RefusedRowTest(TestDatabase database) throws JMSException {
        table = new RowTable(database, SCHEMA);
        factory = new ReadpastConnectionFactory(database.readpastUrl("schema=" + SCHEMA));
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested().filter(database -> database != TestDatabase.SQLSERVER);
    }

    @ParameterizedTest
    @EnumSource(
            value = Malformation.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "KIND_OF_ANOTHER_FORMAT",
                "NO_FORMAT",
                "NO_BODY",
                "NO_SHARED_BODY",
                "NO_TEXT",
                "PROPERTIES_TOO_DEEP"
            })
    void database_refuses_it(Malformation malformation) throws Exception {
        try (JMSContext context = factory.createContext()) {
            TextMessage message = context.createTextMessage("sound");
            message.setIntProperty("n", 1);
            context.createProducer().send(context.createQueue("refused"), message);
            String id = message.getJMSMessageID();
            assertThatThrownBy(() -> table.update(id, malformation.change(table.database())))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContainingAll("message_");
        }
    }
}
