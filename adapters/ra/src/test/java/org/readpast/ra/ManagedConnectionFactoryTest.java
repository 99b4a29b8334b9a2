package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.SecurityException;
import jakarta.resource.spi.security.PasswordCredential;
import java.util.Set;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;

/** Whose connections a server asks for. */
class ManagedConnectionFactoryTest {

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
}
