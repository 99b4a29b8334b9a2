package org.readpast.operations.server;

import java.util.Locale;
import org.readpast.jms.store.jdbc.upkeep.StartupWarning;

/**
 * A setting of the database or of its tables that harms messages or their consumers, as the start-up checks find it.
 *
 * @param finding which: {@code FSYNC}
 * @param found what it is set to, or the table that it is about
 */
public record Setting(String finding, String found) {

    /** What it is about: {@code fsync}. */
    public String name() {
        return finding.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it does, and what to do about it. */
    public String words() {
        return StartupWarning.valueOf(finding).warning(found);
    }
}
