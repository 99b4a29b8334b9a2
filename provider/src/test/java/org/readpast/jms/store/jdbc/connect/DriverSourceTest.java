package org.readpast.jms.store.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.jms.races.Replaced;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.jdbc.failure.Failures;

class DriverSourceTest {

    /** As in a server whose own loader has us and no driver. */
    private static Object connectWithoutDrivers(String url, ClassLoader application) throws Exception {
        URL ours = DriverSource.class.getProtectionDomain().getCodeSource().getLocation();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader server = new URLClassLoader(new URL[] {ours}, ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(application == null ? server : application);
            Method connect = server.loadClass(DriverSource.class.getName())
                    .getDeclaredMethod("connect", String.class, Properties.class);
            connect.setAccessible(true);
            return connect.invoke(null, url, new Properties());
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlserver://h;databaseName=secret, com.microsoft.sqlserver:mssql-jdbc",
        "jdbc:postgresql://h/a?sslpassword=secret, org.postgresql:postgresql",
        "jdbc:h2:mem:a;CIPHER=secret, com.h2database:h2",
        "jdbc:other:secret, jdbc:other:"
    })
    void driver_that_is_missing_is_named_by_its_jar(String url, String jar) {
        assertThatThrownBy(() -> connectWithoutDrivers(url, null))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(jar)
                .hasMessageContaining("class path")
                .hasMessageNotContaining("secret")
                .satisfies(e -> assertThat(Failures.ofFirstLogin((SQLException) e, "Queue 'a'", "send")
                                .failure())
                        .isEqualTo(Failure.CONNECTION_LOST));
    }

    @Test
    void driver_is_found_where_the_application_has_it() throws Exception {
        URL h2 = org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader application = new URLClassLoader(new URL[] {h2}, ClassLoader.getPlatformClassLoader());
                Connection connection = (Connection) connectWithoutDrivers("jdbc:h2:mem:", application)) {
            assertThat(connection.getClass().getClassLoader()).isSameAs(application);
        }
    }

    @Test
    void driver_is_found_where_we_are() throws SQLException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(null);
        try (Connection connection = DriverSource.connect("jdbc:h2:mem:", new Properties())) {
            assertThat(connection.isValid(0)).isTrue();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** So does the strict driver, without which the provider's own connections would not be tested. */
    @Test
    void driver_that_was_registered_in_front_of_another_is_not_passed_by() throws SQLException {
        List<String> asked = new ArrayList<>();
        Driver inFront = inFrontOfH2(asked);
        DriverManager.registerDriver(inFront);
        try (Connection connection = DriverSource.connect("jdbc:h2:mem:in-front", new Properties())) {
            assertThat(connection.isValid(0))
                    .as("where it makes no connection, the other one does")
                    .isTrue();
            assertThat(asked).containsExactly("jdbc:h2:mem:in-front");
        } finally {
            DriverManager.deregisterDriver(inFront);
        }
    }

    private static Driver inFrontOfH2(List<String> asked) {
        return (Driver) Proxy.newProxyInstance(
                DriverSourceTest.class.getClassLoader(),
                new Class<?>[] {Driver.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "acceptsURL" -> ((String) arguments[0]).equals("jdbc:h2:mem:in-front");
                    case "connect" -> {
                        asked.add((String) arguments[0]);
                        yield null;
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "in front of H2";
                });
    }

    @Test
    void what_quotes_the_url_or_the_password_is_said_without_them() {
        String url = "jdbc:x:a;token=lion";
        SQLException quoting = new SQLException("No such URL: " + url, "08001", 7, new SQLException("for tiger"));
        SQLException shown = DriverSource.withoutSecrets(quoting, url, "tiger");
        assertThat((Throwable) shown).hasMessage("No such URL: (the URL)").hasNoCause();
        assertThat(shown.getSQLState()).isEqualTo("08001");
        assertThat(shown.getErrorCode()).isEqualTo(7);

        SQLException harmless = new SQLException("Login failed", "28000");
        assertThat((Object) DriverSource.withoutSecrets(harmless, url, "tiger")).isSameAs(harmless);
    }

    /** The server may vanish right behind the login, and no pool knows of the connection yet. */
    @Test
    void what_is_run_first_does_not_wait_for_ever() throws SQLException {
        List<String> calls = new ArrayList<>();
        AtomicInteger bound = new AtomicInteger();
        Statement statement = Replaced.by(Statement.class, (method, arguments) -> {
            calls.add(method.getName() + " within " + bound);
            return false;
        });
        Connection connection = Replaced.by(Connection.class, (method, arguments) -> switch (method.getName()) {
            case "createStatement" -> statement;
            case "getNetworkTimeout" -> bound.get();
            case "setNetworkTimeout" -> bound.getAndSet((int) arguments[1]);
            default -> "a connection";
        });
        String url = "jdbc:first:a";
        Driver driver = Replaced.by(Driver.class, (method, arguments) -> switch (method.getName()) {
            case "acceptsURL" -> url.equals(arguments[0]);
            case "connect" -> url.equals(arguments[0]) ? connection : null;
            case "hashCode" -> System.identityHashCode(calls);
            case "equals" -> arguments[0] instanceof Driver other && other.hashCode() == System.identityHashCode(calls);
            default -> "a driver";
        });
        DriverManager.registerDriver(driver);
        try {
            assertThat(new DriverSource(url, new Properties(), "SELECT 1", 7_000).getConnection())
                    .isSameAs(connection);
        } finally {
            DriverManager.deregisterDriver(driver);
        }
        assertThat(calls).contains("execute within 7000");
        assertThat(bound).hasValue(0);
    }
}
