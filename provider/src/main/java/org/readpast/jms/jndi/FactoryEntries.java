package org.readpast.jms.jndi;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import org.readpast.jms.FactoryProperties;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.config.ProviderUrl;
import org.readpast.jms.config.Settings;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The connection factories that an environment describes, in the words of ActiveMQ, Artemis and Qpid. What is said for one factory
 * counts more than what its URL says, and that more than what is said for all.
 *
 * <p>Unknown options are refused where a key can only be meant for us. An environment is shared with others, though: a key without
 * one of the prefixes is taken as an option for all factories if it is the name of one, and passed over otherwise.
 */
final class FactoryEntries {

    private static final Logger LOG = Loggers.of(FactoryEntries.class);

    private static final String URLS = "connectionFactory.";
    private static final String NAMES = "connectionFactoryNames";
    private static final String ACTIVEMQ_OPTIONS = "connection.";
    private static final String QPID_OPTIONS = "property.connectionfactory.";
    private static final String QPID_DEFAULTS = "default.connectionfactory.";

    /** Nobody else has keys like these. */
    private static final String OUR_OWN = "redelivery.";

    private static final List<String> DEFAULT_NAMES =
            List.of("ConnectionFactory", "QueueConnectionFactory", "TopicConnectionFactory");

    /** ActiveMQ's entry that makes all factories such. */
    private static final String XA = "xa";

    /** The end of an error. */
    static final String NO_XA =
            ": this context makes no XA connection factories; an org.readpast.jms.ReadpastXAConnectionFactory is made in code, or by"
                    + " org.readpast.jms.jndi.ReadpastObjectFactory. Where rows and messages are in one database a"
                    + " jakarta.jms.ConnectionFactory over the application's DataSource joins the transaction that it has open";

    private final Environment environment;
    private final Map<String, String> urls;
    private final Map<String, Map<String, String>> options = new LinkedHashMap<>();
    private final Map<String, String> defaults;

    FactoryEntries(Environment environment) throws ConfigurationException {
        this.environment = environment;
        this.urls = environment.startingWith(URLS);
        refuseXa();
        this.defaults = defaults();
        Set<String> names = names();
        for (String name : names) {
            options.put(name, new LinkedHashMap<>());
        }
        assign(ACTIVEMQ_OPTIONS);
        assign(QPID_OPTIONS);
    }

    /** The factories by the names they are bound to. */
    Map<String, ReadpastConnectionFactory> factories() throws ConfigurationException {
        Map<String, ReadpastConnectionFactory> factories = new TreeMap<>();
        for (String name : options.keySet()) {
            Optional<ReadpastConnectionFactory> factory = factory(name);
            if (factory.isPresent()) {
                factories.put(name, factory.get());
            }
        }
        return factories;
    }

    /** One that is none would be found out in the middle of a transaction. */
    private void refuseXa() throws ConfigurationException {
        if (environment.get(XA).filter(Boolean::parseBoolean).isPresent()) {
            throw new ConfigurationException("'" + XA + "=true'" + NO_XA);
        }
        for (Map.Entry<String, String> url : urls.entrySet()) {
            if (url.getValue().matches("(?is).*[?&#]type=XA_CF.*")) {
                throw new ConfigurationException("'" + URLS + url.getKey() + "' asks for type=XA_CF" + NO_XA);
            }
        }
    }

    /** Every name in connectionFactory.NAME; and those listed, or else the default ones. */
    private Set<String> names() throws ConfigurationException {
        Set<String> names = new LinkedHashSet<>(urls.keySet());
        Optional<String> listed = environment.get(NAMES);
        if (listed.isPresent()) {
            Arrays.stream(listed.get().split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .forEach(names::add);
        } else {
            names.addAll(DEFAULT_NAMES);
        }
        return names;
    }

    private Map<String, String> defaults() throws ConfigurationException {
        Map<String, String> all = new LinkedHashMap<>();
        for (String key : environment.keys()) {
            if (FactoryProperties.isUrl(key) || Settings.knows(key)) {
                environment.get(key).ifPresent(value -> all.put(key, value));
            } else if (key.startsWith(OUR_OWN)) {
                check(key, key, "");
            } else {
                Settings.misspelt(key)
                        .ifPresent(meant ->
                                LOG.warn("'{}' in the JNDI environment is not an option; is it '{}'?", key, meant));
            }
        }
        putCredential(all, Context.SECURITY_PRINCIPAL, "user");
        putCredential(all, Context.SECURITY_CREDENTIALS, "password");
        Map<String, String> qpid = environment.startingWith(QPID_DEFAULTS);
        for (Map.Entry<String, String> option : qpid.entrySet()) {
            check(QPID_DEFAULTS + option.getKey(), option.getKey(), option.getValue());
        }
        all.putAll(qpid);
        return all;
    }

    private void putCredential(Map<String, String> all, String key, String option) throws ConfigurationException {
        Optional<String> value = environment.get(key);
        if (value.isPresent()) {
            all.put(option, value.get());
        }
    }

    /** Gives the entries with a prefix to the factories they name; a factory's name may have dots in it. */
    private void assign(String prefix) throws ConfigurationException {
        for (Map.Entry<String, String> entry : environment.startingWith(prefix).entrySet()) {
            String rest = entry.getKey();
            String name = options.keySet().stream()
                    .filter(candidate -> rest.startsWith(candidate + "."))
                    .reduce("", (longest, next) -> next.length() > longest.length() ? next : longest);
            if (name.isEmpty()) {
                LOG.warn(
                        "'{}{}' has no effect: it names none of the connection factories {}",
                        prefix,
                        rest,
                        options.keySet());
                continue;
            }
            String option = rest.substring(name.length() + 1);
            check(prefix + rest, option, entry.getValue());
            options.get(name).put(option, entry.getValue());
        }
    }

    /** Empty for a default one that nobody asked for and that has no URL. */
    private Optional<ReadpastConnectionFactory> factory(String name) throws ConfigurationException {
        Map<String, String> own = options.get(name);
        Optional<String> url = firstPresent(List.of(
                url(own), Optional.ofNullable(urls.get(name)), environment.get(Context.PROVIDER_URL), url(defaults)));
        if (url.isEmpty()) {
            if (!urls.containsKey(name)
                    && own.isEmpty()
                    && environment.get(NAMES).isEmpty()) {
                return Optional.empty();
            }
            throw new ConfigurationException("Connection factory '" + name + "' has no URL; set " + URLS + name + " or "
                    + Context.PROVIDER_URL + ", for example to readpast:jdbc:h2:mem:orders");
        }
        try {
            Settings settings = Settings.layered(
                    withoutUrl(defaults), ProviderUrl.parse(url.get()).options(), withoutUrl(own));
            settings.notes().forEach(note -> LOG.warn("Connection factory '{}': {}", name, note));
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url.get());
            factory.setProperties(settings.optionsAndRoutes());
            return Optional.of(factory);
        } catch (IllegalArgumentException e) {
            throw refused("Connection factory '" + name + "'", e);
        }
    }

    private static Map<String, String> withoutUrl(Map<String, String> entries) {
        Map<String, String> options = new LinkedHashMap<>(entries);
        options.keySet().removeIf(FactoryProperties::isUrl);
        return options;
    }

    private static Optional<String> url(Map<String, String> entries) {
        return entries.entrySet().stream()
                .filter(entry -> FactoryProperties.isUrl(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static Optional<String> firstPresent(List<Optional<String>> candidates) {
        return candidates.stream()
                .flatMap(Optional::stream)
                .filter(text -> !text.isBlank())
                .findFirst();
    }

    private static void check(String key, String option, String value) throws ConfigurationException {
        try {
            if (FactoryProperties.isUrl(option)) {
                ProviderUrl.parse(value);
            } else {
                Settings.check(option, value);
            }
        } catch (IllegalArgumentException e) {
            throw refused("'" + key + "'", e);
        }
    }

    private static ConfigurationException refused(String what, IllegalArgumentException why) {
        ConfigurationException refused = new ConfigurationException(what + ": " + why.getMessage());
        refused.setRootCause(why);
        return refused;
    }
}
