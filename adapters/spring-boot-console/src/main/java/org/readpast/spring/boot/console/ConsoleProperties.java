package org.readpast.spring.boot.console;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What stands below {@code readpast.console} in an application's configuration; docs/console.md says what each means.
 *
 * @param path below which the console is
 * @param url null for the application's
 * @param schema null for the application's
 * @param hosts empty for any
 * @param idle after which a session without a request ends
 * @param longest after which a session ends
 * @param users so many may be signed in at once
 * @param silenced null for none
 */
@ConfigurationProperties("readpast.console")
record ConsoleProperties(
        @DefaultValue("/readpast") String path,
        String url,
        String schema,
        @DefaultValue Set<String> hosts,
        @DefaultValue("15m") Duration idle,
        @DefaultValue("8h") Duration longest,
        @DefaultValue("20") int users,
        Path silenced) {}
