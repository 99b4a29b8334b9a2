package org.readpast.cli.administration;

import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Target;
import org.readpast.verify.Verify;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows on a SQL Server whether what Readpast relies on holds there. */
@Command(
        name = "verify",
        description =
                "Shows on a SQL Server whether what Readpast relies on holds there, in a database or a schema of its own.",
        mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Option(
            names = "--here",
            description = "Works in a schema of its own in the URL's database. Without it in a database of its own.")
    private boolean isHere;

    @Override
    public Integer call() throws Exception {
        if (!target.url().startsWith("jdbc:sqlserver:")) {
            throw new IllegalArgumentException("verify is for SQL Server; PostgreSQL and H2 are checked by the build");
        }
        return Verify.run(System.out, target.urlWithLogin(), isHere) ? ExitCode.DONE : ExitCode.FOUND;
    }
}
