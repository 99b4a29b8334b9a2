package org.readpast.spring.boot.console;

import org.readpast.console.ConsoleServlet;
import org.readpast.console.Settings;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.Assert;

/** The console below a path of the application, where {@code readpast.console.enabled} is true. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty("readpast.console.enabled")
@EnableConfigurationProperties(ConsoleProperties.class)
public class ReadpastConsoleAutoConfiguration {

    private static final String PREFIX = "readpast:";

    @Bean
    ServletRegistrationBean<ConsoleServlet> readpastConsole(ConsoleProperties properties, Environment environment) {
        String path = properties.path().replaceFirst("/+$", "");
        Assert.isTrue(
                path.matches("(/[A-Za-z0-9._~-]+)+"),
                () -> "readpast.console.path is a path of its own such as /readpast, and '" + properties.path()
                        + "' is none");
        ServletRegistrationBean<ConsoleServlet> servlet =
                new ServletRegistrationBean<>(new ConsoleServlet(settings(properties, environment)), path + "/*");
        servlet.setName("readpastConsole");
        servlet.setLoadOnStartup(1);
        return servlet;
    }

    private static Settings settings(ConsoleProperties properties, Environment environment) {
        String url = first(
                jdbcUrl(properties.url()),
                jdbcUrl(environment.getProperty("readpast.url")),
                environment.getProperty("spring.datasource.url"));
        Assert.isTrue(
                url != null && url.startsWith("jdbc:"),
                () -> "readpast.console.url is the JDBC URL of the database, without user and password, and "
                        + (url == null ? "there is none" : "what is said there is none"));
        return new Settings(
                url,
                first(properties.schema(), environment.getProperty("readpast.schema"), "readpast"),
                null,
                0,
                null,
                properties.hosts(),
                properties.idle(),
                properties.longest(),
                properties.users(),
                properties.silenced(),
                null);
    }

    /** The provider's URL without its scheme, and without its options, which stand behind the last #. */
    private static String jdbcUrl(String url) {
        if (url == null) {
            return null;
        }
        int options = url.lastIndexOf('#');
        return url.substring(url.startsWith(PREFIX) ? PREFIX.length() : 0, options < 0 ? url.length() : options);
    }

    private static String first(String... values) {
        for (String value : values) {
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
