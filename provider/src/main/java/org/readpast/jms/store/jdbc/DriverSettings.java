package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What in a driver's own settings the start-up checks warn of. Read from the URL that a connection's metadata have, in which
 * SQL Server's driver lists all settings, and PostgreSQL's those that were in the URL.
 */
final class DriverSettings {

    /** Statements of ours wait for other transactions, which are expected to be shorter than this. */
    private static final long LONGEST_WAIT_MILLIS = 30_000;

    private final String url;

    DriverSettings(String url) {
        this.url = url;
    }

    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (url.startsWith("jdbc:sqlserver:")) {
            if ("true".equalsIgnoreCase(text("disableStatementPooling"))) {
                warnings.add(Finding.STATEMENT_POOLING.warning("disableStatementPooling=true"));
            } else {
                warnIfZero(warnings, "statementPoolingCacheSize");
            }
            warnIfShort(warnings, "socketTimeout", 1);
            warnIfEndless(warnings);
            String retried = text("retryExec");
            if (retried != null && !retried.isEmpty()) {
                warnings.add(Finding.RETRIED_STATEMENTS.warning(retried));
            }
        } else if (url.startsWith("jdbc:postgresql:")) {
            warnIfZero(warnings, "prepareThreshold");
            warnIfZero(warnings, "preparedStatementCacheQueries");
            warnIfShort(warnings, "socketTimeout", 1_000);
        }
        return warnings;
    }

    private void warnIfZero(List<String> warnings, String name) {
        number(name).ifPresent(value -> {
            if (value == 0) {
                warnings.add(Finding.STATEMENT_POOLING.warning(name + "=0"));
            }
        });
    }

    private void warnIfShort(List<String> warnings, String name, long unitMillis) {
        number(name).ifPresent(value -> {
            if (value > 0 && value * unitMillis < LONGEST_WAIT_MILLIS) {
                warnings.add(Finding.SOCKET_TIMEOUT.warning(value * unitMillis + " ms (" + name + ")"));
            }
        });
    }

    /** Zero, which is the driver's default. PostgreSQL's driver does not tell what is set elsewhere than in the URL. */
    private void warnIfEndless(List<String> warnings) {
        if (number("socketTimeout").orElse(0) == 0) {
            warnings.add(Finding.NO_SOCKET_TIMEOUT.warning("socketTimeout"));
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
