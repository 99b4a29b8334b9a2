package org.readpast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The pages of the manual, one for each command, of what the commands say of themselves. The build calls it. */
final class ManPages {

    private static final String MAIN = "readpast";

    private final String version;

    private ManPages(String version) {
        this.version = version;
    }

    /**
     * @param arguments the directory to write to, and the version
     */
    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        ManPages pages = new ManPages(arguments[1]);
        for (CommandLine command : all(Readpast.commandLine())) {
            Files.writeString(directory.resolve(name(command) + ".1"), pages.page(command));
        }
    }

    /** A command and all below it. */
    static List<CommandLine> all(CommandLine command) {
        List<CommandLine> all = new ArrayList<>(List.of(command));
        command.getSubcommands().values().forEach(below -> all.addAll(all(below)));
        return all;
    }

    /** Of its page: {@code readpast-schema-check}. */
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    private String page(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        String description = String.join(" ", spec.usageMessage().description());
        StringBuilder page = new StringBuilder(".TH ")
                .append(text(name(command)).toUpperCase(Locale.ROOT))
                .append(" 1 \"\" \"")
                .append(text(MAIN + " " + version))
                .append("\"\n");
        section(page, "NAME", text(name(command)) + " \\- " + text(description.replaceFirst("[.](?: .*)?$", "")));
        section(page, "SYNOPSIS", text(command.getHelp().synopsis(0)));
        section(page, "DESCRIPTION", text(description));
        section(page, "ARGUMENTS", entries(spec.positionalParameters(), ArgSpec::paramLabel, ManPages::description));
        section(page, "OPTIONS", entries(spec.options(), ManPages::names, ManPages::description));
        section(
                page,
                "COMMANDS",
                entries(
                        command.getSubcommands().values(),
                        ManPages::name,
                        below -> String.join(
                                " ", below.getCommandSpec().usageMessage().description())));
        section(
                page,
                "EXIT STATUS",
                entries(spec.root().usageMessage().exitCodeList().entrySet(), Map.Entry::getKey, Map.Entry::getValue));
        section(page, "SEE ALSO", text(MAIN + "(1)"));
        return page.toString();
    }

    private static void section(StringBuilder page, String heading, String body) {
        if (!body.isEmpty()) {
            page.append(".SH ")
                    .append(heading)
                    .append('\n')
                    .append(body.strip())
                    .append('\n');
        }
    }

    private static <T> String entries(Collection<T> all, Function<T, String> term, Function<T, String> meaning) {
        return all.stream()
                .map(one -> ".TP\n.B " + text(term.apply(one)) + "\n" + text(meaning.apply(one)) + "\n")
                .collect(Collectors.joining());
    }

    private static String names(OptionSpec option) {
        String names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }

    private static String description(ArgSpec argument) {
        return String.join(" ", argument.description());
    }

    /** In one line, without what roff takes for its own. */
    private static String text(String plain) {
        String escaped = plain.replace("%n", " ")
                .strip()
                .replaceAll("\\s+", " ")
                .replace("\\", "\\e")
                .replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
