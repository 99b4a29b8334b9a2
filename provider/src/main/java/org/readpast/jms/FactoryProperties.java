package org.readpast.jms;

import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import javax.sql.DataSource;
import org.readpast.jms.config.Join;
import org.readpast.jms.config.ProviderUrl;
import org.readpast.jms.config.Routes;
import org.readpast.jms.config.Settings;

/**
 * The configuration of a connection factory, in the form that beans, JNDI and serialization need: a URL or a DataSource, and
 * options as text. Names and values are checked when they are set; whether they contradict each other is checked at first use. After
 * that nothing can be set. An option that was set wins over the same one in the URL. Thread-safe.
 *
 * <p>Its serialized form and its Reference carry the password, as a naming service needs it; its text form does not.
 */
public abstract sealed class FactoryProperties extends OptionSetters implements Referenceable, Serializable
        permits ReadpastConnectionFactory {

    private static final long serialVersionUID = 1L;

    private static final String OBJECT_FACTORY = "org.readpast.jms.jndi.ReadpastObjectFactory";

    private static final String CANNOT_KEEP_ROUTE =
            "The factory of one route cannot be serialized or referenced; do so with the one that it comes from";

    private static final String ROUTE = "route.";

    private static final String CANNOT_KEEP =
            "A connection factory made from a DataSource object cannot be serialized or"
                    + " referenced; bind the DataSource in JNDI and use the URL readpast:<its name>";

    /** What the URL is called by us and by others. */
    private static final Set<String> URL_NAMES = Set.of("url", "uri", "brokerurl", "remoteuri", "remoteurl");

    private String url;
    private final TreeMap<String, String> options = new TreeMap<>();
    private transient DataSource dataSource;

    /** By the names of routes. Not null but after deserialization. */
    private transient Map<String, DataSource> routeDataSources = new TreeMap<>();

    private transient Sealed sealed;

    /** What connections are made with, once nothing can be set any more. */
    record Sealed(Settings settings, Database database) {}

    FactoryProperties() {}

    /** With nothing to be set. */
    FactoryProperties(Sealed sealed) {
        this.sealed = sealed;
    }

    /**
     * Sets the URL: {@code readpast:} and a JDBC URL or the JNDI name of a DataSource, or a bare JDBC URL. Options may follow behind a
     * {@code #}.
     *
     * @throws IllegalArgumentException if the URL, or an option in it, is not understood
     * @throws IllegalStateException after first use
     */
    public final synchronized void setUrl(String url) {
        checkNotSealed("the URL");
        Settings.of(ProviderUrl.parse(url).options());
        this.url = url.strip();
    }

    /** Sets the URL, in the words of ActiveMQ. */
    public final void setBrokerURL(String brokerURL) {
        setUrl(brokerURL);
    }

    /**
     * Sets the DataSource that SQL connections come from, in place of a URL. A factory with a DataSource can be neither serialized nor
     * bound in JNDI.
     *
     * @throws IllegalStateException after first use
     */
    public final synchronized void setDataSource(DataSource dataSource) {
        checkNotSealed("the DataSource");
        this.dataSource = dataSource;
    }

    /**
     * Sets the DataSource of another database, in place of the option {@code route.NAME.url}. A factory with a DataSource can be neither
     * serialized nor bound in JNDI.
     *
     * @param route the name of the database; the option {@code route.NAME.destinations} says what is in it
     * @param dataSource where SQL connections to it come from; not null
     * @throws IllegalArgumentException if there can be no route of this name
     * @throws IllegalStateException after first use
     */
    public final synchronized void setDataSource(String route, DataSource dataSource) {
        checkNotSealed("the DataSource of route '" + route + "'");
        if (Routes.HOME.equals(route)) {
            throw new IllegalArgumentException(
                    "'" + Routes.HOME + "' is the factory's own database; use setDataSource without a route");
        }
        Settings.check(ROUTE + route + ".destinations", "");
        if (routeDataSources == null) {
            routeDataSources = new TreeMap<>();
        }
        routeDataSources.put(route, dataSource);
    }

    /** The DataSource of a route, or null. */
    final synchronized DataSource dataSource(String route) {
        return routeDataSources == null ? null : routeDataSources.get(route);
    }

    /**
     * Sets any option, or the URL, by name.
     *
     * @param name the name of an option, its form for some destinations such as {@code redelivery.orders.*.maximumDeliveries}, a
     *     name that other providers use for it, or {@code url}
     * @throws IllegalArgumentException if the name is unknown or the value not accepted
     * @throws IllegalStateException after first use
     */
    @Override
    public final synchronized void setProperty(String name, String value) {
        if (isUrl(name)) {
            setUrl(value);
            return;
        }
        checkNotSealed("option '" + name + "'");
        Settings.check(name, value);
        if (isRouteUrl(name)) {
            ProviderUrl.parse(value);
        }
        options.put(name, value);
    }

    /** Sets several options as {@link #setProperty} does. If one is refused, those before it have been set. */
    public final void setProperties(Map<String, String> properties) {
        properties.forEach(this::setProperty);
    }

    /** Whether a name is one of those that stand for the URL rather than for an option. */
    public static boolean isUrl(String name) {
        return URL_NAMES.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Ends configuration, at first use. */
    final synchronized Sealed seal() {
        if (sealed == null) {
            sealed = resolve();
        }
        return sealed;
    }

    /**
     * @throws IllegalStateException if there is not exactly one place to find the database
     * @throws IllegalArgumentException if options contradict each other
     */
    private Sealed resolve() {
        if (url == null && dataSource == null) {
            throw new IllegalStateException(
                    "The connection factory has no URL and no DataSource; set one, such as readpast:jdbc:h2:mem:orders");
        }
        if (url != null && dataSource != null) {
            throw new IllegalStateException("The connection factory has both a URL and a DataSource; set one of them");
        }
        if (dataSource != null) {
            return new Sealed(withRoutes(Settings.of(options)), new Database.Given(dataSource));
        }
        ProviderUrl parsed = ProviderUrl.parse(url);
        Settings settings = withRoutes(Settings.layered(parsed.options(), options));
        if (!settings.trustUrl()) {
            parsed.refuseTrust();
        }
        return new Sealed(settings, Database.of(parsed));
    }

    private Settings withRoutes(Settings settings) {
        if (routeDataSources != null) {
            for (String route : routeDataSources.keySet()) {
                if (!settings.routes().containsKey(route)) {
                    throw new IllegalStateException(
                            "Route '" + route + "' has a DataSource and no destinations; set the option '" + ROUTE
                                    + route + ".destinations'");
                }
            }
        }
        return settings;
    }

    private void checkNotSealed(String what) {
        if (sealed != null) {
            throw new IllegalStateException("Cannot set " + what
                    + ": the connection factory is in use; configure it before its first connection");
        }
    }

    /**
     * Returns what a naming service may keep in place of this factory. The object factory in {@code org.readpast.jms.jndi} makes a
     * factory with the same configuration from it.
     *
     * @throws NamingException if it was made from a DataSource, which cannot be kept
     */
    @Override
    public final synchronized Reference getReference() throws NamingException {
        if (hasDataSource()) {
            throw new NamingException(CANNOT_KEEP);
        }
        if (url == null && sealed != null) {
            throw new NamingException(CANNOT_KEEP_ROUTE);
        }
        Reference reference = new Reference(getClass().getName(), OBJECT_FACTORY, null);
        if (url != null) {
            reference.add(new SecretAddress("url", url));
        }
        options.forEach((name, value) -> reference.add(
                isSecret(name) || isRouteUrl(name) ? new SecretAddress(name, value) : new StringRefAddr(name, value)));
        return reference;
    }

    private boolean hasDataSource() {
        return dataSource != null || (routeDataSources != null && !routeDataSources.isEmpty());
    }

    private synchronized void writeObject(ObjectOutputStream out) throws IOException {
        if (hasDataSource()) {
            throw new NotSerializableException(CANNOT_KEEP);
        }
        if (url == null && sealed != null) {
            throw new NotSerializableException(CANNOT_KEEP_ROUTE);
        }
        out.defaultWriteObject();
    }

    /**
     * The schema that the message tables are in, by what is set so far.
     *
     * @throws IllegalStateException if there is not exactly one place to find the database
     * @throws IllegalArgumentException if options contradict each other
     */
    public final synchronized String schema() {
        return (sealed == null ? resolve() : sealed).settings().schema();
    }

    /**
     * How many SQL connections the factory's own pool may hold, by what is set so far. Where a DataSource has the pool that means nothing.
     *
     * @throws IllegalStateException if there is not exactly one place to find the database
     * @throws IllegalArgumentException if options contradict each other
     */
    public final synchronized int poolSize() {
        return (sealed == null ? resolve() : sealed).settings().poolSize();
    }

    /**
     * The DataSource whose transactions its connections join, by what is set so far; null where there is none, as with a URL, or the option
     * {@code join} is NEVER.
     *
     * @throws IllegalStateException if there is not exactly one place to find the database
     * @throws IllegalArgumentException if options contradict each other
     */
    public final synchronized DataSource joinedDataSource() {
        return dataSource == null
                        || (sealed == null ? resolve() : sealed).settings().join() == Join.NEVER
                ? null
                : dataSource;
    }

    /** Whether the value of an option, under any of its names, is a credential. */
    private static boolean isSecret(String name) {
        String plain = name.toLowerCase(Locale.ROOT)
                .replaceFirst("^route[.][^.]*[.]", "")
                .replaceFirst("^jms[.]", "");
        return plain.equals("password") || plain.equals("user") || plain.equals("username");
    }

    /** Whether the value of an option is a URL, which may have a password in it. */
    private static boolean isRouteUrl(String name) {
        return name.startsWith(ROUTE) && name.endsWith(".url");
    }

    private static String shown(String name, String value) {
        if (isRouteUrl(name)) {
            return ProviderUrl.parse(value).toString();
        }
        return isSecret(name) ? "(hidden)" : value;
    }

    /** Where it connects to and which options are set, credentials hidden. */
    @Override
    public final synchronized String toString() {
        Map<String, String> shown = new LinkedHashMap<>();
        if (url != null) {
            shown.put("url", ProviderUrl.parse(url).toString());
        }
        if (dataSource != null) {
            shown.put("dataSource", dataSource.getClass().getName());
        }
        if (url == null && dataSource == null && sealed != null) {
            shown.put("database", sealed.database().toString());
        }
        options.forEach((name, value) -> shown.put(name, shown(name, value)));
        return getClass().getSimpleName() + shown;
    }
}
