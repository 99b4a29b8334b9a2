package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.MessageStore.QueueMove;
import org.readpast.jms.store.jdbc.acknowledge.QueueSettings;
import org.readpast.jms.store.jdbc.connect.Connections;

/** What JVMs know to be set for queues, where they have read it at different times. */
class QueueSettingsTest {

    private final SqlTables tables = new SqlTables(TestDatabase.H2);
    private JdbcMessageStore store;
    private JdbcMessageStore other;

    @BeforeEach
    void open() throws Exception {
        store = tables.open();
        other = tables.open();
        store.destination(DestinationKind.QUEUE, "orders");
        store.destination(DestinationKind.QUEUE, "invoices");
    }

    @AfterEach
    void close() throws Exception {
        store.close();
        other.close();
        tables.drop();
    }

    private void mark(String queue, String stage, String database) throws SQLException {
        tables.sql(
                "UPDATE readpast.destination SET moved = ?, moved_database = ? WHERE name = ?", stage, database, queue);
    }

    @Test
    void move_that_one_of_two_does_not_know_makes_their_checksums_differ() throws Exception {
        mark("invoices", "away", "east");
        store.refreshQueueSettings();
        other.refreshQueueSettings();
        for (QueueMove.Stage stage : QueueMove.Stage.values()) {
            for (String database : new String[] {"west", "east"}) {
                mark("orders", stage.name().toLowerCase(Locale.ROOT), database);
                store.refreshQueueSettings();
                assertThat(store.queueSettingsChecksum())
                        .as(stage + " " + database)
                        .isNotEqualTo(other.queueSettingsChecksum());
                other.refreshQueueSettings();
                assertThat(store.queueSettingsChecksum())
                        .as(stage + " " + database)
                        .isEqualTo(other.queueSettingsChecksum());
            }
        }
    }

    @Test
    void look_that_began_before_a_send_was_refused_does_not_settle_why() throws Exception {
        QueueSettings settings = SqlTables.opened(store).queueSettings();
        try (Connection connection = TestDatabase.H2.connect()) {
            QueueSettings.Read before = settings.read(connection);
            settings.suspectMove();
            settings.use(before);
            assertThat(settings.isMoveLikely()).isTrue();

            settings.use(settings.read(connection));
            assertThat(settings.isMoveLikely()).isFalse();
        }
    }

    @Test
    void move_is_not_forgotten_for_a_look_that_began_before_the_one_that_found_it() throws Exception {
        QueueSettings settings = SqlTables.opened(store).queueSettings();
        try (Connection connection = TestDatabase.H2.connect()) {
            QueueSettings.Read older = settings.read(connection);
            mark("orders", "away", "west");
            settings.use(settings.read(connection));
            settings.use(older);
            assertThat(settings.moveOf("orders")).isEqualTo(new QueueMove(QueueMove.Stage.AWAY, "west"));

            mark("orders", null, null);
            settings.use(settings.read(connection));
            assertThat(settings.moveOf("orders")).isNull();
        }
    }

    /** H2 has row versions, where a look waits for nobody: the error is made up. */
    @Test
    void start_waits_for_whoever_is_changing_them() throws Exception {
        FailingSource source = new FailingSource(TestDatabase.H2::connect);
        Runnable change = () -> source.fail(new FailingSource.Failing(
                "1 AS history", false, () -> new SQLException("made to fail", "HYT00", 50_200), harmed -> {}));
        try (JdbcMessageStore starting =
                new JdbcMessageStore(Connections.ofDataSource(source.dataSource()), tables.options)) {
            change.run();
            starting.open();
            assertThat(source.raised()).isOne();
            change.run();
            starting.register().close();
            assertThat(source.raised()).isEqualTo(2);
        }
    }
}
