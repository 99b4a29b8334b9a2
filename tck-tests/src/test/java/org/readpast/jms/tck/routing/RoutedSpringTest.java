package org.readpast.jms.tck.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** A Spring transaction on one of the databases takes sends to that one along, and refuses those to another. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("kinds")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutedSpringTest {

    private final TestDatabase kind;
    private TwoDatabases databases;
    private HikariDataSource home;
    private HikariDataSource west;
    private ReadpastConnectionFactory factory;

    RoutedSpringTest(TestDatabase kind) {
        this.kind = kind;
    }

    static Stream<TestDatabase> kinds() {
        return TwoDatabases.kinds();
    }

    @BeforeEach
    void open() throws Exception {
        databases = TwoDatabases.of(kind);
        home = TestDatabase.pool(databases.home(), 8);
        west = TestDatabase.pool(databases.west(), 8);
        factory = new ReadpastConnectionFactory(home);
        factory.setCreateSchema("true");
        factory.setDataSource("west", west);
        factory.setProperty("route.west.destinations", "west.*");
        JmsTemplate template = new JmsTemplate(factory);
        template.convertAndSend("a", "tables are made");
        template.convertAndSend("west.a", "tables are made");
    }

    @AfterEach
    void close() throws Exception {
        factory.close();
        home.close();
        west.close();
    }

    @Test
    void each_joins_the_transaction_of_its_own_database_alone() throws Exception {
        JmsTemplate template = new JmsTemplate(factory);
        for (HikariDataSource pool : new HikariDataSource[] {home, west}) {
            String here = pool == home ? "a" : "west.a";
            String there = pool == home ? "west.a" : "a";
            TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
            transaction.executeWithoutResult(status -> {
                template.convertAndSend(here, "one");
                assertThatThrownBy(() -> template.convertAndSend(there, "two"))
                        .hasMessageContainingAll("'home'", "'west'", "outside of that transaction");
                status.setRollbackOnly();
            });
            assertThat(count(here)).isEqualTo(1);
            transaction.executeWithoutResult(status -> template.convertAndSend(here, "three"));
            assertThat(count(here)).isEqualTo(2);
            assertThat(count(there)).isEqualTo(pool == home ? 1 : 2);
        }
    }

    @Test
    void neither_database_is_asked_about_the_other() throws Exception {
        home.close();
        JmsTemplate template = new JmsTemplate(factory);
        new TransactionTemplate(new DataSourceTransactionManager(west))
                .executeWithoutResult(status -> template.convertAndSend("west.a", "one"));
        assertThat(count("west.a")).isEqualTo(2);
    }

    private int count(String queue) throws Exception {
        return TwoDatabases.count(queue.startsWith("west") ? databases.west() : databases.home(), queue);
    }
}
