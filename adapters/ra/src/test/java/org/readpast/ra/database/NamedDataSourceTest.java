package org.readpast.ra.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.spi.InitialContextFactory;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A DataSource that is in JNDI at times, and not always the same. */
class NamedDataSourceTest {

    private static DataSource inJndi;

    private final NamedDataSource named = new NamedDataSource("jdbc/Shop");
    private String before;
    private int asked;

    /** The server's JNDI. */
    public static final class Names implements InitialContextFactory {

        public Names() {}

        @Override
        public Context getInitialContext(Hashtable<?, ?> environment) {
            return answering(Context.class, () -> {
                if (inJndi == null) {
                    throw new NameNotFoundException("nothing is there");
                }
                return inJndi;
            });
        }
    }

    @FunctionalInterface
    private interface Answer {
        Object make() throws Exception;
    }

    private static <T> T answering(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                NamedDataSourceTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer.make()));
    }

    private static DataSource giving(Connection connection) {
        return answering(DataSource.class, () -> connection);
    }

    private static DataSource shutDown() {
        return answering(DataSource.class, () -> {
            throw new SQLException("The pool has been shut down");
        });
    }

    @BeforeEach
    void enterServer() {
        before = System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Names.class.getName());
    }

    @AfterEach
    void leaveServer() {
        inJndi = null;
        if (before == null) {
            System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
        } else {
            System.setProperty(Context.INITIAL_CONTEXT_FACTORY, before);
        }
    }

    @Test
    void one_that_has_taken_its_place_is_found() throws Exception {
        Connection connection = answering(Connection.class, () -> null);
        inJndi = shutDown();
        assertThatThrownBy(named::get).isInstanceOf(SQLException.class).hasMessageContaining("shut down");
        inJndi = giving(connection);
        assertThatThrownBy(named::get).hasMessageContaining("shut down");
        assertThat(named.get()).isSameAs(connection);
        // As on a thread that does not have the names of the application.
        inJndi = null;
        assertThat(named.get()).isSameAs(connection);
    }

    /** Which may have waited for a pool that is exhausted, or have tried a wrong password. */
    @Test
    void one_that_has_failed_is_not_asked_twice() {
        DataSource busy = answering(DataSource.class, () -> {
            asked++;
            inJndi = shutDown();
            throw new SQLException("The pool is exhausted");
        });
        inJndi = busy;
        assertThatThrownBy(named::get).hasMessageContaining("exhausted");
        assertThat(asked).isOne();
    }

    /** Another bean may have another database by this name. */
    @ParameterizedTest
    @ValueSource(strings = {"java:comp/env/jdbc/Shop", "java:module/jdbc/Shop", "java:app/jdbc/Shop"})
    void name_of_a_component_is_not_looked_up_on_the_thread_of_another_one(String name) throws Exception {
        NamedDataSource own = new NamedDataSource(name);
        inJndi = shutDown();
        assertThatThrownBy(own::get).hasMessageContaining("shut down");
        inJndi = giving(answering(Connection.class, () -> null));
        assertThatThrownBy(own::get).hasMessageContaining("shut down");
        assertThatThrownBy(own::get).hasMessageContaining("shut down");
    }

    @Test
    void its_own_error_is_told_where_nothing_has_taken_its_place() throws Exception {
        inJndi = shutDown();
        assertThatThrownBy(named::get).hasMessageContaining("shut down");
        inJndi = null;
        assertThatThrownBy(named::get).hasMessageContaining("shut down");
    }

    @Test
    void one_that_is_not_there_is_told_with_its_name() {
        assertThatThrownBy(named::get)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("JNDI has no DataSource 'jdbc/Shop'");
    }
}
