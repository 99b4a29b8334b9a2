package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSSecurityException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.SecurityException;
import jakarta.resource.spi.TransactionSupport.TransactionSupportLevel;
import jakarta.resource.spi.security.PasswordCredential;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Set;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;

/** Whose connections a server asks for. */
class ManagedConnectionFactoryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static ReadpastManagedConnectionFactory factory() throws ResourceException {
        ReadpastResourceAdapter adapter = new ReadpastResourceAdapter();
        adapter.setDataSource("jdbc/Shop");
        adapter.setUrl("readpast:jdbc/ShopOwn");
        ReadpastManagedConnectionFactory factory = new ReadpastManagedConnectionFactory();
        factory.setResourceAdapter(adapter);
        return factory;
    }

    private static Subject subject(ReadpastManagedConnectionFactory factory, String user) {
        PasswordCredential credential = new PasswordCredential(user, new char[0]);
        credential.setManagedConnectionFactory(factory);
        return new Subject(false, Set.of(), Set.of(), Set.of(credential));
    }

    private static ReadpastManagedConnectionFactory factory(String url, String level) throws ResourceException {
        ReadpastManagedConnectionFactory factory = new ReadpastManagedConnectionFactory();
        factory.setResourceAdapter(new ReadpastResourceAdapter());
        factory.setUrl(url);
        factory.setTransactionSupportLevel(level);
        return factory;
    }

    @Test
    void level_follows_from_where_messages_are_unless_it_is_set() throws Exception {
        assertThat(factory().getTransactionSupport()).isEqualTo(TransactionSupportLevel.NoTransaction);
        assertThat(factory("jdbc:h2:mem:a", "").getTransactionSupport())
                .isEqualTo(TransactionSupportLevel.LocalTransaction);
        assertThat(factory("jdbc:h2:mem:a", "XATransaction").getTransactionSupport())
                .isEqualTo(TransactionSupportLevel.XATransaction);
    }

    @Test
    void level_that_there_is_none_of_is_refused_with_the_nearest() throws Exception {
        ReadpastManagedConnectionFactory factory = factory("jdbc:h2:mem:a", "XATransactions");
        assertThatThrownBy(factory::getTransactionSupport)
                .hasMessageContaining("'transactionSupportLevel' is 'XATransactions'")
                .hasMessageContaining("The nearest is 'XATransaction'");
        assertThatThrownBy(() -> factory.createManagedConnection(null, null))
                .isInstanceOf(InvalidPropertyException.class);
    }

    @Test
    void XA_is_refused_where_there_is_no_driver_to_have_it() throws Exception {
        ReadpastManagedConnectionFactory overDataSource = factory();
        overDataSource.setTransactionSupportLevel("XATransaction");
        assertThatThrownBy(overDataSource::getTransactionSupport).hasMessageContaining("an XA DataSource");
        ReadpastManagedConnectionFactory byName = factory("readpast:jdbc/ShopOwn", "XATransaction");
        assertThatThrownBy(byName::getTransactionSupport).hasMessageContaining("set 'url' to a JDBC URL");
    }

    /** Payara asks so for each connection. */
    @Test
    void empty_user_is_none() throws Exception {
        ReadpastManagedConnectionFactory factory = factory();
        assertThat(factory.database(subject(factory, ""), null).dataSource()).isEqualTo("jdbc/Shop");
    }

    @Test
    void user_is_refused_where_the_DataSource_knows_its_own() throws Exception {
        ReadpastManagedConnectionFactory factory = factory();
        assertThatThrownBy(() -> factory.database(subject(factory, "shop"), null))
                .isInstanceOf(SecurityException.class)
                .hasMessageContaining("jdbc/Shop");
    }

    /** There is no end to the passwords that may be tried. */
    @Test
    void password_of_a_caller_is_not_kept_longer_than_its_connection() throws Exception {
        String jdbcUrl = "jdbc:h2:mem:passwords";
        try (Connection other = DriverManager.getConnection(jdbcUrl, "sa", "secret")) {
            assertThat(other.isValid(1)).isTrue();
            ReadpastManagedConnectionFactory factory =
                    factory("readpast:" + jdbcUrl + "#user=sa&idleCloseMillis=0", "NoTransaction");
            WeakReference<String> password = tried(factory);
            await().atMost(PATIENCE).untilAsserted(() -> {
                System.gc();
                assertThat(password.get()).isNull();
            });
            factory.getResourceAdapter().stop();
        }
    }

    private static WeakReference<String> tried(ReadpastManagedConnectionFactory factory) throws ResourceException {
        String password = String.valueOf(new char[] {'o', 'p', 'e', 'n'});
        Credentials caller = new Credentials("sa", password);
        ManagedConnection managed = factory.createManagedConnection(null, caller);
        try (ConnectionHandle handle = (ConnectionHandle) managed.getConnection(null, caller)) {
            assertThatThrownBy(handle::open).isInstanceOf(JMSSecurityException.class);
        }
        managed.destroy();
        return new WeakReference<>(password);
    }
}
