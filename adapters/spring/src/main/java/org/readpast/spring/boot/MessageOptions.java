package org.readpast.spring.boot;

import java.beans.PropertyDescriptor;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The options of a connection factory, as they stand under {@code readpast.} in an application's configuration. They have the names of
 * docs/configuration.md, written in any of Boot's ways: {@code readpast.pool-size}, {@code READPAST_POOLSIZE}. One that does not exist is
 * refused, as it is elsewhere.
 */
final class MessageOptions {

    private static final String PREFIX = "readpast";

    /** Says whether there is a connection factory, and is no option of one. */
    private static final String ENABLED = "enabled";

    /** What begins so is the console's. */
    private static final String CONSOLE = "console.";

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
        Binder.get(environment)
                .bind(PREFIX, Bindable.mapOf(String.class, String.class))
                .orElseGet(Map::of)
                .forEach((name, value) -> {
                    String property = properties.get(uniform(name));
                    if (property != null) {
                        bean.setPropertyValue(property, value);
                    } else if (!name.equals(ENABLED) && !name.startsWith(CONSOLE)) {
                        factory.setProperty(optionName(name), value);
                    }
                });
    }

    private static String uniform(String name) {
        return name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
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
