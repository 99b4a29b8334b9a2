package org.readpast.jms;

import java.util.Map;
import javax.sql.DataSource;
import org.readpast.jms.config.JdbcUrl;
import org.readpast.jms.config.ProviderUrl;

/** Where the message tables are. Text forms have no secrets. */
sealed interface Database {

    /** A pool of ours connects there. */
    record Url(JdbcUrl url) implements Database {
        @Override
        public String toString() {
            return url.toString();
        }
    }

    /** The application's DataSource, to be looked up in JNDI. */
    record Named(String jndiName) implements Database {
        @Override
        public String toString() {
            return "DataSource " + new ProviderUrl.DataSourceName(jndiName, Map.of()).shown();
        }
    }

    /** The application's DataSource. Its own text form is not ours to show: pools put their URL in it. */
    record Given(DataSource dataSource) implements Database {
        @Override
        public String toString() {
            return "DataSource of " + dataSource.getClass().getName();
        }
    }

    static Database of(ProviderUrl url) {
        if (url instanceof ProviderUrl.DataSourceName named) {
            return new Named(named.name());
        }
        return new Url(((ProviderUrl.Jdbc) url).url());
    }
}
