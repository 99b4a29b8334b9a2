package org.readpast.clients.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.Message;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ContextResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;
import org.readpast.jms.ReadpastConnectionFactory;
import org.slf4j.LoggerFactory;

/** A web application in Tomcat is reloaded again and again, and none of those that are gone is kept in memory. */
@Tag("extended")
class ReloadTest {

    private static final int RELOADS = 10;

    private static final String PARAMETER =
            "<context-param><param-name>url</param-name><param-value>%s</param-value></context-param>";

    private static EmbeddedPostgres server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startServer() throws IOException {
        server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .start();
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    private static String url() {
        return "readpast:" + server.getJdbcUrl("postgres", "postgres") + "#createSchema=true&idleCloseMillis=3600000";
    }

    @Test
    void the_application_brings_readpast_and_closes_its_factory() throws Exception {
        Path application = application(PARAMETER);
        for (Class<?> in : List.of(
                ReadpastConnectionFactory.class,
                Message.class,
                com.zaxxer.hikari.HikariDataSource.class,
                LoggerFactory.class,
                Logger.class,
                ch.qos.logback.core.Context.class,
                Driver.class)) {
            add(in, application);
        }
        reload(application, context -> {});
    }

    /** What the applications share lives on with the connection of another one. */
    @Test
    void the_server_has_readpast_and_others_use_it_too() throws Exception {
        try (ReadpastConnectionFactory others = new ReadpastConnectionFactory(url())) {
            reload(
                    application(PARAMETER),
                    context -> {},
                    () -> others.createContext().createProducer());
        }
    }

    @Test
    void the_server_has_the_factory_and_the_data_source() throws Exception {
        reload(application(""), context -> {
            ContextResource source =
                    resource("jdbc/app", "javax.sql.DataSource", "com.zaxxer.hikari.HikariJNDIFactory");
            source.setProperty("jdbcUrl", server.getJdbcUrl("postgres", "postgres"));
            context.getNamingResources().addResource(source);
            ContextResource factory = resource(
                    "jms/ConnectionFactory",
                    "jakarta.jms.ConnectionFactory",
                    "org.readpast.jms.jndi.ReadpastObjectFactory");
            factory.setProperty("url", "readpast:java:comp/env/jdbc/app");
            factory.setProperty("createSchema", "true");
            context.getNamingResources().addResource(factory);
        });
    }

    private static ContextResource resource(String name, String type, String factory) {
        ContextResource resource = new ContextResource();
        resource.setName(name);
        resource.setType(type);
        resource.setAuth("Container");
        resource.setProperty("factory", factory);
        resource.setCloseMethod("close");
        return resource;
    }

    @FunctionalInterface
    private interface Setting {
        void of(Context context);
    }

    private void reload(Path application, Setting setting) throws Exception {
        reload(application, setting, () -> {});
    }

    /** @param afterFirstStart what others do then */
    private void reload(Path application, Setting setting, Runnable afterFirstStart) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.resolve("tomcat").toString());
        tomcat.setPort(0);
        tomcat.enableNaming();
        tomcat.setAddDefaultWebXmlToWebapp(false);
        StandardContext context = (StandardContext) tomcat.addWebapp("/shop", application.toString());
        // Tomcat itself does nothing about what an application leaves behind.
        context.setClearReferencesThreadLocals(false);
        context.setClearReferencesRmiTargets(false);
        setting.of(context);
        tomcat.start();
        try {
            afterFirstStart.run();
            List<WeakReference<ClassLoader>> gone = new ArrayList<>();
            for (int i = 0; i < RELOADS; i++) {
                assertThat(context.getServletContext().getAttribute(Shop.RECEIVED))
                        .isEqualTo(true);
                gone.add(new WeakReference<>(context.getLoader().getClassLoader()));
                context.reload();
            }
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                System.gc();
                assertThat(gone).allMatch(loader -> loader.get() == null);
            });
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    /**
     * The folder of a web application that has nothing but its own classes.
     *
     * @param parameter for its web.xml, with %s for the URL
     */
    private Path application(String parameter) throws IOException, URISyntaxException {
        Path application = folder.resolve("shop");
        Path classes = Files.createDirectories(application.resolve("WEB-INF/classes"));
        Files.createDirectories(application.resolve("WEB-INF/lib"));
        Path here = Path.of(
                Shop.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String folderOfShop = Shop.class.getPackageName().replace('.', '/');
        Path target = Files.createDirectories(classes.resolve(folderOfShop));
        try (Stream<Path> files = Files.list(here.resolve(folderOfShop))) {
            for (Path file : files.filter(name -> name.getFileName().toString().startsWith("Shop"))
                    .toList()) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
        Files.writeString(
                application.resolve("WEB-INF/web.xml"),
                "<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.1'>"
                        + "<listener><listener-class>" + Shop.class.getName() + "</listener-class></listener>"
                        + parameter.formatted(url().replace("&", "&amp;")) + "</web-app>");
        return application;
    }

    /** The jar of a class, or in a build that has made none the folder of its classes. */
    private static void add(Class<?> in, Path application) throws IOException, URISyntaxException {
        Path from =
                Path.of(in.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (!Files.isDirectory(from)) {
            Files.copy(from, application.resolve("WEB-INF/lib").resolve(from.getFileName()));
            return;
        }
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = application
                        .resolve("WEB-INF/classes")
                        .resolve(from.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
    }
}
