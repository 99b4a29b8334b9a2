package org.readpast.spring.boot;

import java.beans.PropertyDescriptor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.config.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The options of a connection factory, as they stand under {@code readpast.} in an application's configuration. They have the names of
 * docs/configuration.md, written in any of Boot's ways: {@code readpast.pool-size}, {@code READPAST_POOLSIZE}. One that does not exist is
 * refused, as it is elsewhere; but not among the variables of the process, where others have names of the same form: Kubernetes those of
 * its services, and our command line.
 */
final class MessageOptions {

    private static final String PREFIX = "readpast";

    /** Says whether there is a connection factory, and is no option of one. */
    private static final String ENABLED = "enabled";

    /** What begins so is the console's. */
    private static final String CONSOLE = "console.";

    /** What Kubernetes sets for each service, and our command line reads. */
    private static final Pattern OF_OTHERS = Pattern.compile(
            "(.*\\.)?(service\\.(host|port(\\..*)?)|port(\\.\\d+\\..*)?)|keystore\\.password|java\\.options");

    private static final Set<String> LOGIN = Set.of("user", "username", "password");

    private static final Logger LOG = LoggerFactory.getLogger(MessageOptions.class);

    private MessageOptions() {}

    /** Whether the messages have a URL of their own, in place of a DataSource of the application's. */
    static boolean hasUrl(Environment environment) {
        return environment.containsProperty(PREFIX + ".url");
    }

    /** @throws RuntimeException if an option is unknown or its value not accepted */
    static void set(ReadpastConnectionFactory factory, Environment environment) {
        BeanWrapper bean = PropertyAccessorFactory.forBeanPropertyAccess(factory);
        Map<String, String> properties = new HashMap<>();
        for (PropertyDescriptor property : bean.getPropertyDescriptors()) {
            properties.put(uniform(property.getName()), property.getName());
        }
        Set<String> variables = new HashSet<>();
        Binder.get(environment)
                .bind(PREFIX, Bindable.mapOf(String.class, String.class), new BindHandler() {
                    @Override
                    public Object onSuccess(
                            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
                        ConfigurationProperty found = context.getConfigurationProperty();
                        if (found != null
                                && found.getSource().getUnderlyingSource() instanceof SystemEnvironmentPropertySource) {
                            variables.add(uniform(name.toString()));
                        }
                        return result;
                    }
                })
                .orElseGet(Map::of)
                .forEach((name, value) -> {
                    if (name.equals(ENABLED) || name.startsWith(CONSOLE)) {
                        return;
                    }
                    String property = properties.get(uniform(name));
                    if (LOGIN.contains(name) && variables.contains(PREFIX + name) && !hasUrl(environment)) {
                        LOG.info(
                                "The environment variable for 'readpast.{}', which our command line reads, is passed over: a DataSource has a login"
                                        + " of its own.",
                                name);
                    } else if (property != null) {
                        bean.setPropertyValue(property, value);
                    } else if (variables.contains(uniform(PREFIX + name)) && !Settings.knows(name)) {
                        LOG.atLevel(OF_OTHERS.matcher(name).matches() ? Level.DEBUG : Level.WARN)
                                .log(
                                        "The environment variable for 'readpast.{}' is no option, and is passed over",
                                        name);
                    } else {
                        factory.setProperty(optionName(name), value);
                    }
                });
    }

    /** Numbers are in brackets in some forms of a name. */
    private static String uniform(String name) {
        return name.replaceAll("[-_.\\[\\]]", "").toLowerCase(Locale.ROOT);
    }

    /** With a destination's name between its parts, which is left as it is: {@code redelivery.my-orders.maximum-deliveries}. */
    private static String optionName(String name) {
        int last = name.lastIndexOf('.') + 1;
        StringBuilder option = new StringBuilder(name.substring(0, last));
        boolean capital = false;
        for (char c : name.substring(last).toCharArray()) {
            if (c != '-') {
                option.append(capital ? Character.toUpperCase(c) : c);
            }
            capital = c == '-';
        }
        return option.toString();
    }
}
