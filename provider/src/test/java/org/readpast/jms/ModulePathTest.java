package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Message;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** The provider as a module and as an OSGi bundle: all other tests have it on the class path. */
class ModulePathTest {

    private static final Pattern EXPORTED = Pattern.compile("(?:^|,)(org\\.readpast[\\w.]*)");

    private static final Map<String, String> PROGRAM = Map.of("module-info.java", """
            module program {
                requires org.readpast.jms;
            }
            """, "program/Main.java", """
            package program;

            import jakarta.jms.*;
            import java.util.Hashtable;
            import javax.naming.InitialContext;
            import org.readpast.jms.ReadpastConnectionFactory;

            public class Main {
                public static void main(String[] arguments) throws Exception {
                    Hashtable<String, String> jndi = new Hashtable<>();
                    jndi.put("java.naming.factory.initial", "org.readpast.jms.jndi.ReadpastInitialContextFactory");
                    jndi.put("java.naming.provider.url", "readpast:jdbc:h2:mem:module");
                    jndi.put("queue.orders", "orders");
                    Queue orders = (Queue) new InitialContext(jndi).lookup("orders");
                    try (JMSContext context = new ReadpastConnectionFactory("readpast:jdbc:h2:mem:module").createContext()) {
                        context.createProducer().send(orders, "one coffee");
                        System.out.println(context.createConsumer(orders).receiveBody(String.class, 60_000) + " from "
                                + ReadpastConnectionFactory.class.getModule());
                    }
                    System.exit(0);
                }
            }
            """);

    @Test
    void program_on_the_module_path_sends_and_receives(@TempDir Path folder) throws Exception {
        String modules = Stream.of(
                        ReadpastConnectionFactory.class,
                        Message.class,
                        HikariDataSource.class,
                        Logger.class,
                        Class.forName("org.h2.Driver"))
                .map(type -> placeOf(type).toString())
                .collect(Collectors.joining(File.pathSeparator));
        Path program = compile(folder, modules);

        Path output = folder.resolve("output.txt");
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        program + File.pathSeparator + modules,
                        "--add-modules",
                        "com.h2database",
                        "--module",
                        "program/program.Main")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(java.waitFor(3, TimeUnit.MINUTES)).isTrue();
        } finally {
            java.destroyForcibly();
        }
        assertThat(output).content().contains("one coffee from module org.readpast.jms");
    }

    @Test
    void bundle_exports_what_the_module_exports() throws IOException {
        Path provider = placeOf(ReadpastConnectionFactory.class);
        Set<String> exported =
                ModuleFinder.of(provider).find("org.readpast.jms").orElseThrow().descriptor().exports().stream()
                        .filter(export -> !export.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet());
        String header = manifestOf(provider).getMainAttributes().getValue("Export-Package");
        List<String> packages = EXPORTED.matcher(header.replaceAll("\"[^\"]*\"", ""))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(packages).containsExactlyInAnyOrderElementsOf(exported).contains("org.readpast.jms");
        assertThat(manifestOf(provider).getMainAttributes().getValue("Bundle-SymbolicName"))
                .isEqualTo("org.readpast.jms");
    }

    /** Of the jar, or of the folder that becomes the jar. */
    private static Manifest manifestOf(Path provider) throws IOException {
        if (Files.isDirectory(provider)) {
            try (InputStream in = Files.newInputStream(provider.resolve(JarFile.MANIFEST_NAME))) {
                return new Manifest(in);
            }
        }
        try (JarFile jar = new JarFile(provider.toFile())) {
            return jar.getManifest();
        }
    }

    private static Path compile(Path folder, String modules) throws IOException {
        List<String> arguments = new ArrayList<>(Arrays.asList(
                "--module-path",
                modules,
                "-proc:none",
                "-d",
                folder.resolve("program").toString()));
        for (Map.Entry<String, String> source : PROGRAM.entrySet()) {
            Path file = folder.resolve("source").resolve(source.getKey());
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue(), StandardCharsets.UTF_8)
                    .toString());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        return folder.resolve("program");
    }

    private static Path placeOf(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }
}
