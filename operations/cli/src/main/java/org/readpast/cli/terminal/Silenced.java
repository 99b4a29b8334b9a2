package org.readpast.cli.terminal;

import java.io.IOException;
import java.nio.file.Path;
import org.readpast.operations.verdict.Silences;
import picocli.CommandLine.Option;

/** Where it stands which findings are silenced. */
public final class Silenced {

    @Option(
            names = "--silenced",
            paramLabel = "FILE",
            description =
                    "A file of findings that somebody knows of, with until when and why. Default: READPAST_SILENCED, then silenced in the configuration.")
    private String file;

    /** The file; null for none. */
    public Path file(Target target) throws IOException {
        String found = target.setting(file, "READPAST_SILENCED", "silenced", null);
        return found == null ? null : Path.of(found);
    }

    public Silences read(Target target) throws IOException {
        return Silences.read(file(target));
    }
}
