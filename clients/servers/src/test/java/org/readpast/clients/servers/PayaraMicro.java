package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Payara Micro, by the command of docs/containers/payara.md and those that it shares with Payara Server. */
final class PayaraMicro extends Server {

    private static final Path FOLDER = Path.of("target/payara-micro").toAbsolutePath();

    /** What it keeps: its configuration and what it has noted of its transactions. */
    private static final Path ROOT = FOLDER.resolve("root");

    private static final String STARTED_WITH_IT = "Payara Micro is started with its application";
    private static final String BOOT = " --postBootCommandFile readpast.asadmin";
    private static final String APPLICATION = " --deploy shop.war";

    private PayaraMicro(int port, Path log, Process process) {
        super(port, log, process);
    }

    /** @param jdbcUrl of the database, with its user */
    static PayaraMicro start(String jdbcUrl, String user) throws IOException {
        String commands = replace(
                block("payara.md", "asadmin"), Payara.escaped("jdbc:postgresql://db/shop"), Payara.escaped(jdbcUrl));
        configure(FILES, commands, user);
        return start(block("payara.md", "sh"));
    }

    /**
     * With the commands of docs/containers/xa.md behind those of its page.
     *
     * @param first false for one that was configured already, and knows what it has noted of its transactions
     * @param databases a JDBC URL to put a database's name behind
     */
    static PayaraMicro startWithXa(boolean first, String databases, String user, boolean deployed)
            throws IOException, InterruptedException {
        String command = block("payara.md", "sh");
        if (first) {
            Path files = filesWithDriverInArchive(Edition.JAKARTA, "payara-micro-xa");
            String commands = block("payara.md", "asadmin") + block("xa.md", "asadmin");
            configure(
                    files, replace(commands, Payara.escaped("jdbc:postgresql://db/"), Payara.escaped(databases)), user);
        } else {
            Payara.forgetApplication(ROOT.resolve("config/domain.xml"));
            command = replace(command, BOOT, "");
        }
        return start(deployed ? command : replace(command, APPLICATION, ""));
    }

    private static void configure(Path files, String commands, String user) throws IOException {
        // What an earlier run has left.
        deleteAll(FOLDER);
        Files.createDirectories(FOLDER);
        copyAll(files, FOLDER);
        copyAll(Path.of("target/payara-micro-jar"), FOLDER);
        Payara.write(Edition.JAKARTA, FOLDER.resolve("shop.war"));
        // One backslash, as the page says.
        String all = replace(commands, "=shop:", "=" + user + ":").replace("\\\\", "\\");
        Files.writeString(FOLDER.resolve("readpast.asadmin"), all);
    }

    private static PayaraMicro start(String command) throws IOException {
        List<String> words = new ArrayList<>(List.of(command.strip().split(" ")));
        int port = freePort();
        words.addAll(List.of("--port", String.valueOf(port), "--rootDir", ROOT.toString()));
        Path log = Path.of("target/payara-micro.log").toAbsolutePath();
        ProcessBuilder builder = command(words).directory(FOLDER.toFile()).redirectOutput(log.toFile());
        PayaraMicro server = new PayaraMicro(port, log, builder.start());
        try {
            server.awaitLog("ready in", 1);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    @Override
    void deploy() {
        throw new UnsupportedOperationException(STARTED_WITH_IT);
    }

    @Override
    void undeploy() {
        throw new UnsupportedOperationException(STARTED_WITH_IT);
    }
}
