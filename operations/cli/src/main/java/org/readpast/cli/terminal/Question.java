package org.readpast.cli.terminal;

import java.io.Console;
import picocli.CommandLine.Option;

/** What is asked before something is destroyed. */
public final class Question {

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean isAnswered;

    /** Asks, and refuses to go on without a yes. */
    public void ask(String question) {
        if (isAnswered) {
            return;
        }
        Console console = Terminal.find()
                .orElseThrow(() -> new Failure.Refused(
                        ExitCode.NOT_CONFIRMED, question + " There is no terminal to ask on: say it with --yes"));
        String answer = console.readLine("%s [yes/no] ", question);
        if (!"yes".equals(answer)) {
            throw new Failure.Refused(ExitCode.NOT_CONFIRMED, "nothing was done");
        }
    }
}
