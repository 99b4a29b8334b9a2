package org.readpast.jms.store.jdbc.upkeep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.readpast.jms.store.jdbc.connect.DriverSource;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * What in a driver's own settings the start-up checks warn of. Read from the URL that a connection's metadata have, in which
 * SQL Server's driver lists all settings, and PostgreSQL's those that were in the URL.
 */
final class DriverSettings {

    private static final Logger LOG = Loggers.of(DriverSettings.class);

    /** Statements of ours wait for other transactions, which are expected to be shorter than this. */
    private static final long LONGEST_WAIT_MILLIS = 30_000;

    /**
     * The file in which SQL Server's driver looks for what it repeats, where its URL says nothing. It puts the name behind that of its own
     * jar, with no separator between the two.
     */
    private static final String RETRY_FILE = "mssql-jdbc.properties";

    private final String url;
    private final URL driver;

    /**
     * @param driver where the driver's classes are, or null if that is not known
     */
    DriverSettings(String url, URL driver) {
        this.url = url;
        this.driver = driver;
    }

    /** Those of a connection. */
    static DriverSettings of(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return new DriverSettings(url, DriverSource.placeOfDriver(url));
    }

    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (url.startsWith("jdbc:sqlserver:")) {
            if ("true".equalsIgnoreCase(text("disableStatementPooling"))) {
                warnings.add(StartupWarning.STATEMENT_POOLING.warning("disableStatementPooling=true"));
            } else {
                warnIfZero(warnings, "statementPoolingCacheSize");
            }
            warnIfShort(warnings, "socketTimeout", 1);
            warnIfEndless(warnings);
            if ("cursor".equalsIgnoreCase(text("selectMethod"))) {
                warnings.add(StartupWarning.SERVER_CURSORS.warning("cursor"));
            }
            String retried = text("retryExec");
            if (retried != null && !retried.isEmpty()) {
                warnings.add(StartupWarning.RETRIED_STATEMENTS.warning(retried));
            } else {
                warnIfRetriedByFile(warnings);
            }
        } else if (url.startsWith("jdbc:postgresql:")) {
            warnIfZero(warnings, "prepareThreshold");
            warnIfZero(warnings, "preparedStatementCacheQueries");
            warnIfShort(warnings, "socketTimeout", 1_000);
        }
        return warnings;
    }

    private void warnIfRetriedByFile(List<String> warnings) {
        if (driver == null || !"file".equals(driver.getProtocol())) {
            return;
        }
        try (Stream<String> lines = Files.lines(retryFile(driver))) {
            lines.filter(line -> line.startsWith("retryExec") && line.indexOf('=') >= 0)
                    .findFirst()
                    .ifPresent(line -> warnings.add(StartupWarning.RETRIED_STATEMENTS.warning(
                            line.substring(line.indexOf('=') + 1) + " in " + retryFile(driver))));
        } catch (IOException | UncheckedIOException | IllegalArgumentException notThere) {
            LOG.debug("The driver has no file of statements to repeat", notThere);
        }
    }

    static Path retryFile(URL driver) {
        return Path.of(URI.create(driver + RETRY_FILE));
    }

    private void warnIfZero(List<String> warnings, String name) {
        number(name).ifPresent(value -> {
            if (value == 0) {
                warnings.add(StartupWarning.STATEMENT_POOLING.warning(name + "=0"));
            }
        });
    }

    private void warnIfShort(List<String> warnings, String name, long unitMillis) {
        number(name).ifPresent(value -> {
            if (value > 0 && value * unitMillis < LONGEST_WAIT_MILLIS) {
                warnings.add(StartupWarning.SOCKET_TIMEOUT.warning(value * unitMillis + " ms (" + name + ")"));
            }
        });
    }

    /** Zero, which is the driver's default. PostgreSQL's driver does not tell what is set elsewhere than in the URL. */
    private void warnIfEndless(List<String> warnings) {
        if (number("socketTimeout").orElse(0) == 0) {
            warnings.add(StartupWarning.NO_SOCKET_TIMEOUT.warning("socketTimeout"));
        }
    }

    private OptionalLong number(String name) {
        String text = text(name);
        return text != null && text.matches("\\d{1,9}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private String text(String name) {
        Matcher setting = Pattern.compile("(?i)[;?&]" + name + "=([^;&]*)").matcher(url);
        return setting.find() ? setting.group(1).strip() : null;
    }

    /** The level of a connection, as SQL calls it. */
    static String nameOfIsolation(int level) {
        return switch (level) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ UNCOMMITTED";
            case Connection.TRANSACTION_READ_COMMITTED -> "READ COMMITTED";
            case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
            case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
            default -> "SNAPSHOT";
        };
    }
}
