package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.NamingException;
import javax.naming.spi.NamingManager;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.config.Option;
import org.readpast.jms.config.Settings;

class ReadpastConnectionFactoryTest {

    private static final String URL = "readpast:jdbc:h2:mem:ReadpastConnectionFactoryTest";

    @ParameterizedTest
    @EnumSource(Option.class)
    void every_option_has_a_setter_in_bean_style(Option option) throws ReflectiveOperationException {
        String property = Arrays.stream(option.key().split("\\."))
                .map(part -> part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1))
                .collect(Collectors.joining());
        String unset = option.key().startsWith("datagram") ? "192.0.2.1" : "true";
        String value = option.defaultValue().isEmpty() ? unset : option.defaultValue();
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL);

        Method setter = ReadpastConnectionFactory.class.getMethod("set" + property, String.class);
        setter.invoke(factory, value);

        assertThat(factory.seal().settings().options()).containsExactly(Map.entry(option.key(), value));
    }

    @Test
    void url_and_credentials_are_set_in_the_words_of_activemq() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory();
        factory.setBrokerURL(URL);
        factory.setUserName("scott");
        factory.setPassword("tiger");
        factory.setClientID("billing");

        Settings settings = factory.seal().settings();
        assertThat(settings.user()).isEqualTo("scott");
        assertThat(settings.password()).isEqualTo("tiger");
        assertThat(settings.clientId()).isEqualTo("billing");
    }

    @Test
    void properties_and_maps_configure_alike() {
        Properties properties = new Properties();
        properties.setProperty("brokerURL", URL);
        properties.setProperty("poolSize", "4");
        for (ReadpastConnectionFactory factory : new ReadpastConnectionFactory[] {
            new ReadpastConnectionFactory(properties),
            new ReadpastConnectionFactory(Map.of("url", URL, "poolSize", "4")),
            new ReadpastConnectionFactory(URL + "#poolSize=4")
        }) {
            assertThat(factory.seal().settings().poolSize()).isEqualTo(4);
            assertThat(factory.seal().database())
                    .hasToString("jdbc:h2:mem:ReadpastConnectionFactoryTest")
                    .isInstanceOf(Database.Url.class);
        }
    }

    @Test
    void properties_win_over_the_url() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL + "#userName=low&schema=mq");
        factory.setUser("high");

        assertThat(factory.seal().settings().user()).isEqualTo("high");
        assertThat(factory.seal().settings().schema()).isEqualTo("mq");
    }

    @Test
    void mistake_is_refused_where_it_is_made() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> factory.setProperty("poolSise", "4"))
                .withMessageContaining("poolSize");
        assertThatIllegalArgumentException().isThrownBy(() -> factory.setPoolSize("many"));
        assertThatIllegalArgumentException().isThrownBy(() -> factory.setUrl("tcp://localhost:61616"));
        assertThatIllegalArgumentException().isThrownBy(() -> new ReadpastConnectionFactory(URL + "#poolSise=4"));
    }

    @Test
    void nothing_can_be_set_after_first_use() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL);
        factory.seal();

        assertThatIllegalStateException()
                .isThrownBy(() -> factory.setPoolSize("4"))
                .withMessageContaining("poolSize");
        assertThatIllegalStateException().isThrownBy(() -> factory.setUrl(URL));
        assertThatIllegalStateException().isThrownBy(() -> factory.setDataSource(new NoDataSource()));
    }

    @Test
    void factory_without_a_place_says_so_in_both_apis() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory();

        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(factory::createConnection)
                .withMessageContaining("no URL");
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(factory::createContext)
                .withMessageContaining("no URL");
        factory.setUrl(URL);
        factory.setDataSource(new NoDataSource());
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(factory::createQueueConnection)
                .withMessageContaining("both a URL and a DataSource");
    }

    @Test
    void session_mode_that_does_not_exist_is_refused() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL);

        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> factory.createContext(7))
                .withMessageContaining("7");
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> factory.createContext("scott", "tiger", -1))
                .withMessageContaining("-1");
    }

    @Test
    void join_never_forbids_a_borrowed_connection() throws SQLException {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL + "#join=NEVER");
        try (Connection borrowed = DriverManager.getConnection("jdbc:h2:mem:")) {
            assertThatExceptionOfType(jakarta.jms.IllegalStateException.class)
                    .isThrownBy(() -> factory.createConnection(borrowed))
                    .withMessageContaining("join");
            assertThatExceptionOfType(IllegalStateRuntimeException.class)
                    .isThrownBy(() -> factory.createContext(borrowed));
        }
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> factory.createConnection((Connection) null))
                .withMessageContaining("null");
    }

    @Test
    void text_form_has_no_credentials() {
        ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory("jdbc:postgresql://db/app?user=scott&password=tiger#jms.userName=anna");
        factory.setProperty("jms.userName", "scott");
        factory.setPassword("tiger");
        factory.setPoolSize("4");

        assertThat(factory.toString())
                .contains("jdbc:postgresql://db/app", "poolSize=4")
                .doesNotContain("scott", "tiger", "anna");
        assertThat(new Credentials("scott", "tiger").toString()).doesNotContain("scott", "tiger");
    }

    @Test
    void serialized_form_carries_url_and_options() throws IOException, ClassNotFoundException {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL);
        factory.setProperty("redelivery.orders.*.maximumDeliveries", "3");
        factory.seal();

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(factory);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertSame((ReadpastConnectionFactory) in.readObject(), factory);
        }
    }

    @Test
    void reference_makes_an_equal_factory_and_shows_no_credentials() throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL + ";PASSWORD=tiger");
        factory.setPassword("tiger");
        factory.setUserName("scott");
        factory.setMaxInlineBody("5");

        assertThat(factory.getReference().toString()).contains("maxInlineBody").doesNotContain("tiger", "scott");
        Object made = NamingManager.getObjectInstance(factory.getReference(), null, null, null);
        assertSame((ReadpastConnectionFactory) made, factory);
    }

    @Test
    void data_source_can_be_neither_serialized_nor_referenced() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(new NoDataSource());

        assertThat(factory.seal().database()).isInstanceOf(Database.Given.class);
        assertThat(factory.toString()).contains("NoDataSource").doesNotContain("tiger");
        assertThatExceptionOfType(NamingException.class)
                .isThrownBy(factory::getReference)
                .withMessageContaining("readpast:<its name>");
        assertThatExceptionOfType(NotSerializableException.class)
                .isThrownBy(() -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(factory));
    }

    @Test
    void url_that_is_trusted_beside_itself_may_name_what_it_likes() {
        String url = "readpast:ldap://directory/jdbc/app";
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> new ReadpastConnectionFactory(url).createConnection())
                .withMessageContaining("trustUrl");

        ReadpastConnectionFactory trusting = new ReadpastConnectionFactory(url);
        trusting.setTrustUrl("true");
        assertThat(trusting.seal().database()).isEqualTo(new Database.Named("ldap://directory/jdbc/app"));
        assertThat(trusting.seal().settings().trustUrl()).isTrue();
    }

    /** With Spring beside it, it would be asked. */
    @Test
    void connections_with_autocommit_off_are_joined_by_nobody_who_cannot_tell() throws JMSException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:autocommit-off");
        config.setAutoCommit(false);
        try (HikariDataSource off = new HikariDataSource(config);
                ReadpastConnectionFactory joining = new ReadpastConnectionFactory(off);
                ReadpastConnectionFactory separate = new ReadpastConnectionFactory(off)) {
            assertThatExceptionOfType(JMSException.class)
                    .isThrownBy(joining::createConnection)
                    .withMessageContaining("autocommit");
            separate.setJoin("NEVER");
            try (JMSContext context = separate.createContext()) {
                context.createProducer().send(context.createQueue("orders"), "on its own");
                assertThat(context.createConsumer(context.createQueue("orders")).receiveBody(String.class, 60_000))
                        .isEqualTo("on its own");
            }
        }
    }

    @Test
    void name_of_a_data_source_is_kept_for_later() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory("readpast:java:comp/env/jdbc/app");

        assertThat(factory.seal().database()).isEqualTo(new Database.Named("java:comp/env/jdbc/app"));
        assertThatNoException().isThrownBy(factory::getReference);
    }

    /** There is no end to those that may be tried. */
    @Test
    void wrong_password_is_not_kept() throws Exception {
        try (Connection other = DriverManager.getConnection("jdbc:h2:mem:kept", "sa", "secret");
                ReadpastConnectionFactory factory =
                        new ReadpastConnectionFactory("jdbc:h2:mem:kept#idleCloseMillis=0")) {
            assertThat(other.isClosed()).isFalse();
            WeakReference<String> password = tried(factory);
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                System.gc();
                assertThat(password.get()).isNull();
            });
        }
    }

    /** Pools that log in by themselves say so, if at all, in words that tell nothing of a user. */
    @ParameterizedTest
    @MethodSource("pools_of_one_user")
    void data_source_that_takes_no_user_is_told_of(HikariDataSource pool) throws Exception {
        try (pool;
                ReadpastConnectionFactory factory = new ReadpastConnectionFactory(pool)) {
            assertThatExceptionOfType(JMSSecurityException.class)
                    .isThrownBy(() -> factory.createConnection("scott", "tiger"))
                    .withMessageContaining("leave user and password out")
                    .withMessageNotContaining("tiger");
            factory.createConnection().close();
        }
    }

    static Stream<HikariDataSource> pools_of_one_user() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:pool-of-one-user");
        return Stream.of(new HikariDataSource(config), new HikariDataSource(config) {
            @Override
            public Connection getConnection(String username, String password) {
                throw new UnsupportedOperationException("Not supported by BasicDataSource");
            }
        });
    }

    private static WeakReference<String> tried(ReadpastConnectionFactory factory) {
        String password = String.valueOf(new char[] {'o', 'p', 'e', 'n'});
        assertThatExceptionOfType(JMSSecurityException.class)
                .isThrownBy(() -> factory.createConnection("sa", password));
        return new WeakReference<>(password);
    }

    private static void assertSame(ReadpastConnectionFactory made, ReadpastConnectionFactory original) {
        assertThat(made.seal().settings().options())
                .isEqualTo(original.seal().settings().options());
        assertThat(made.seal().database()).isEqualTo(original.seal().database());
    }

    /** One whose text form has a secret in it, as those of pools may. */
    private static final class NoDataSource implements DataSource {

        @Override
        public Connection getConnection() throws SQLException {
            throw new SQLException("No connections here");
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            throw new SQLException("No connections here");
        }

        @Override
        public PrintWriter getLogWriter() {
            return null;
        }

        @Override
        public void setLogWriter(PrintWriter out) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLoginTimeout(int seconds) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLException("Wraps nothing");
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }

        @Override
        public String toString() {
            return "jdbc:x?password=tiger";
        }
    }
}
