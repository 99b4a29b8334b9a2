package org.readpast.jms.tck.harness;

import java.util.stream.Collectors;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.readpast.jms.strict.Mode;

/** Says at the start of a run which targets it has, and which it has not and why. */
public final class RunAnnouncement implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        System.out.println("Contract suite: targets "
                + Targets.requested().stream().map(TargetId::label).collect(Collectors.joining(", ")));
        String mode = System.getProperty(Mode.PROPERTY, "");
        if (Targets.requested().contains(TargetId.SQLSERVER)) {
            System.out.println(
                    "Contract suite: SQL Server in the mode " + (mode.isBlank() ? "of a new database" : mode));
        } else {
            System.out.println("Contract suite: the SQL Server tests do NOT run, because "
                    + (Targets.hasSqlServerUrl()
                            ? "-D" + Targets.TARGETS_PROPERTY + " leaves it out"
                            : "no -D" + Targets.SQLSERVER_URL_PROPERTY + "=jdbc:sqlserver://... was given"));
        }
    }
}
