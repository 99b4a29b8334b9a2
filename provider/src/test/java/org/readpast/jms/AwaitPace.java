package org.readpast.jms;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has a test that waits for a condition look at it at once, and then at growing pauses. By Awaitility's defaults each wait takes a tenth of
 * a second at the least, which most conditions do not need, and ends after ten, in which a busy machine may not have come to it. Only a failing
 * test waits for so long.
 */
public final class AwaitPace implements LauncherSessionListener {

    private static final long LONGEST_MILLIS = 100;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(
                (looks, before) -> Duration.ofMillis(Math.min(LONGEST_MILLIS, 5L << Math.min(looks, 5))));
    }
}
