package org.readpast.jms.tck.cost;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.listener.QueryExecutionListener;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Through how many of the provider's classes a call passes from the API to the driver: so many a reader has to open to follow it. The
 * bounds are those of docs/architecture.md.
 */
class PathTest {

    private static final int SEND = 9;
    private static final int RECEIVE = 15;
    private static final long PATIENCE = 20_000;

    /** The classes of the provider that a statement was executed by, from the API inwards. */
    private record Path(String statement, List<String> classes) {}

    private final List<Path> paths = new CopyOnWriteArrayList<>();

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void message_passes_through_few_classes(TestDatabase database) throws Exception {
        try (HikariDataSource pool = database.pool(8);
                ReadpastConnectionFactory factory = new ReadpastConnectionFactory(noting(pool))) {
            try (Connection connection = connect(factory);
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                connection.start();
                Queue queue = session.createQueue("path." + UUID.randomUUID());
                MessageProducer producer = session.createProducer(queue);
                MessageConsumer consumer = session.createConsumer(queue);
                for (int i = 0; i < 3; i++) {
                    producer.send(session.createTextMessage("one"));
                }
                List<String> send = longest(path -> path.classes().get(0).equals("JmsProducer"));
                for (int i = 0; i < 3; i++) {
                    assertThat(consumer.receive(PATIENCE)).isNotNull();
                }
                List<String> claim = longest(path -> path.classes().get(0).equals("JmsConsumer") && claims(path));
                List<String> acknowledge =
                        longest(path -> path.classes().get(0).equals("JmsConsumer") && !claims(path));

                assertThat(send).hasSizeBetween(3, SEND);
                assertThat(claim).hasSizeBetween(3, RECEIVE);
                assertThat(acknowledge).hasSizeBetween(3, RECEIVE);
            }
        }
    }

    private static Connection connect(ReadpastConnectionFactory factory) throws JMSException {
        factory.setCreateSchema("true");
        return factory.createConnection();
    }

    private static boolean claims(Path path) {
        return !path.statement().contains("delete") && !path.statement().contains("acknowledge");
    }

    private List<String> longest(Predicate<Path> which) {
        return paths.stream()
                .filter(path -> !path.classes().isEmpty())
                .filter(which)
                .map(Path::classes)
                .max(Comparator.comparingInt(List::size))
                .orElseThrow();
    }

    private DataSource noting(DataSource source) {
        return ProxyDataSourceBuilder.create(source)
                .listener(new QueryExecutionListener() {
                    @Override
                    public void beforeQuery(ExecutionInfo execution, List<QueryInfo> queries) {
                        queries.forEach(query ->
                                paths.add(new Path(query.getQuery().toLowerCase(Locale.ROOT), classesInTheWay())));
                    }

                    @Override
                    public void afterQuery(ExecutionInfo execution, List<QueryInfo> queries) {
                        // What began was noted already.
                    }
                })
                .build();
    }

    private static List<String> classesInTheWay() {
        List<String> inwards = StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .filter(name ->
                                name.startsWith("org.readpast.jms.") && !name.startsWith("org.readpast.jms.tck."))
                        .map(name -> name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\$.*", ""))
                        .distinct()
                        .toList());
        return Stream.iterate(inwards.size() - 1, i -> i >= 0, i -> i - 1)
                .map(inwards::get)
                .toList();
    }
}
