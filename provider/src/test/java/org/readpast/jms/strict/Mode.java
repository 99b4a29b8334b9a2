package org.readpast.jms.strict;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is unlike a new database and the driver's own settings in a run: words of {@value #PROPERTY}, between commas.
 *
 * @param settings of the driver, which go into its URL
 * @param options of the session, as a login's or the server's {@code user options} switch them on
 * @param rowVersions READ_COMMITTED_SNAPSHOT
 * @param compatibilityLevel of the database
 */
public record Mode(List<String> settings, List<String> options, boolean rowVersions, int compatibilityLevel) {

    /**
     * NOCOUNT, XACT_ABORT, lastUpdateCount=false, sendStringParametersAsUnicode=false, RCSI, COMPATIBILITY_LEVEL=120; any of them,
     * in any order.
     */
    public static final String PROPERTY = "readpast.test.sqlserver.mode";

    static final Mode DEFAULT = new Mode(List.of(), List.of(), false, 160);

    /** The mode that the system property names. */
    static Mode ofRun() {
        return parse(System.getProperty(PROPERTY, ""));
    }

    /**
     * Reads the words of a mode.
     *
     * @throws IllegalArgumentException where one is not known
     */
    public static Mode parse(String words) {
        List<String> settings = new ArrayList<>();
        List<String> options = new ArrayList<>();
        boolean rowVersions = false;
        int level = DEFAULT.compatibilityLevel;
        for (String word : words.split(",", -1)) {
            String upper = word.strip().toUpperCase(Locale.ROOT);
            switch (upper) {
                case "" -> {}
                case "NOCOUNT", "XACT_ABORT" -> options.add(upper);
                case "LASTUPDATECOUNT=FALSE", "SENDSTRINGPARAMETERSASUNICODE=FALSE" -> settings.add(word.strip());
                case "RCSI" -> rowVersions = true;
                default -> {
                    if (!upper.matches("COMPATIBILITY_LEVEL=1\\d0")) {
                        throw new IllegalArgumentException("-D" + PROPERTY + " does not know '" + word.strip() + "'");
                    }
                    level = Integer.parseInt(upper.substring(upper.indexOf('=') + 1));
                }
            }
        }
        return new Mode(List.copyOf(settings), List.copyOf(options), rowVersions, level);
    }

    /** A URL with the driver's settings, unless it has its own. */
    String url(String url) {
        StringBuilder all = new StringBuilder(url);
        for (String setting : settings) {
            String name = setting.substring(0, setting.indexOf('='));
            if (!url.toLowerCase(Locale.ROOT).contains(";" + name.toLowerCase(Locale.ROOT) + "=")) {
                all.append(url.endsWith(";") ? "" : ";").append(setting);
            }
        }
        return all.toString();
    }
}
