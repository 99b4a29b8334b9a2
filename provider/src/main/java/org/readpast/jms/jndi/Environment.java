package org.readpast.jms.jndi;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import org.readpast.jms.config.ProviderUrl;

/**
 * The text entries of a JNDI environment, with those of the properties file that {@code java.naming.provider.url} may name, and
 * with variables filled in. What the application gave itself wins over the file.
 */
final class Environment {

    private static final Pattern SCHEME = Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]+):(.*)");
    private static final String CLASSPATH = "classpath:";

    private final Map<String, String> entries;
    private final Variables variables;

    private Environment(Map<String, String> entries) {
        this.entries = entries;
        this.variables = new Variables(entries);
    }

    static Environment of(Hashtable<?, ?> given) throws ConfigurationException {
        Map<String, String> entries = new TreeMap<>();
        given.forEach((key, value) -> {
            if (key instanceof String name && value instanceof String text) {
                entries.put(name, text);
            }
        });
        Environment environment = new Environment(entries);
        Optional<String> provider = environment.get(Context.PROVIDER_URL);
        if (provider.isEmpty() || ProviderUrl.isOne(provider.get())) {
            return environment;
        }
        Map<String, String> both = new TreeMap<>(load(provider.get()));
        String inFile = both.get(Context.PROVIDER_URL);
        both.putAll(entries);
        both.remove(Context.PROVIDER_URL);
        if (inFile != null) {
            both.put(Context.PROVIDER_URL, inFile);
        }
        Environment merged = new Environment(both);
        Optional<String> url = merged.get(Context.PROVIDER_URL);
        if (url.isPresent() && !ProviderUrl.isOne(url.get())) {
            throw new ConfigurationException(Context.PROVIDER_URL + " in the properties file " + shown(provider.get())
                    + " is not a URL of Readpast's; a file cannot name another file");
        }
        return merged;
    }

    /** An entry with its variables filled in; empty where there is none or it is blank. */
    Optional<String> get(String key) throws ConfigurationException {
        String value = entries.get(key);
        return value == null
                ? Optional.empty()
                : Optional.of(variables.fill(key, value)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** The entries whose key begins with a prefix, in upper or lower case, by what follows it; values filled in. */
    Map<String, String> startingWith(String prefix) throws ConfigurationException {
        Map<String, String> found = new LinkedHashMap<>();
        for (String key : entries.keySet()) {
            if (key.length() > prefix.length() && key.regionMatches(true, 0, prefix, 0, prefix.length())) {
                found.put(key.substring(prefix.length()), variables.fill(key, entries.get(key)));
            }
        }
        return found;
    }

    Iterable<String> keys() {
        return entries.keySet();
    }

    private static Map<String, String> load(String location) throws ConfigurationException {
        Properties file = new Properties();
        try (InputStream in = open(location)) {
            file.load(in);
        } catch (IOException | IllegalArgumentException e) {
            ConfigurationException unreadable = new ConfigurationException(
                    Context.PROVIDER_URL + ": the properties file " + shown(location) + " cannot be read");
            unreadable.setRootCause(e);
            throw unreadable;
        }
        Map<String, String> entries = new LinkedHashMap<>();
        file.stringPropertyNames().forEach(name -> entries.put(name, file.getProperty(name)));
        return entries;
    }

    private static InputStream open(String location) throws ConfigurationException, IOException {
        if (location.startsWith("file:")) {
            return Files.newInputStream(path(location));
        }
        if (!location.startsWith(CLASSPATH)) {
            var scheme = SCHEME.matcher(location);
            if (scheme.matches()) {
                throw new ConfigurationException(Context.PROVIDER_URL + " begins with '"
                        + (scheme.group(2).startsWith("//") ? scheme.group(1) : "...")
                        + ":', which is not Readpast's; write a URL such as readpast:jdbc:h2:mem:orders, or the file: URL, path"
                        + " or classpath resource of a properties file");
            }
            Path path = path(location);
            if (Files.isRegularFile(path)) {
                return Files.newInputStream(path);
            }
        }
        return resource(location.startsWith(CLASSPATH) ? location.substring(CLASSPATH.length()) : location);
    }

    /** {@code file:jndi.properties} is no path by the rules of URIs, and yet what people write. */
    private static Path path(String location) throws ConfigurationException {
        try {
            if (!location.startsWith("file:")) {
                return Path.of(location);
            }
            URI uri = new URI(location.replace(" ", "%20"));
            return uri.isOpaque() ? Path.of(uri.getSchemeSpecificPart()) : Path.of(uri.getPath());
        } catch (URISyntaxException | InvalidPathException e) {
            ConfigurationException malformed =
                    new ConfigurationException(Context.PROVIDER_URL + " is not the location of a properties file");
            malformed.setRootCause(e);
            throw malformed;
        }
    }

    /** A URL of the wrong form may have a password before its host. */
    private static String shown(String location) {
        return location.indexOf('@') < 0 ? location : "...";
    }

    private static InputStream resource(String name) throws ConfigurationException {
        String absolute = name.startsWith("/") ? name.substring(1) : name;
        ClassLoader application = Thread.currentThread().getContextClassLoader();
        InputStream found = application == null ? null : application.getResourceAsStream(absolute);
        if (found == null) {
            found = Environment.class.getClassLoader().getResourceAsStream(absolute);
        }
        if (found == null) {
            throw new ConfigurationException(
                    Context.PROVIDER_URL + ": there is neither a file nor a classpath resource '" + shown(name)
                            + "'; a URL of Readpast's begins with 'readpast:'");
        }
        return found;
    }
}
