package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** Open Liberty, by the server.xml of docs/containers/open-liberty.md. */
final class OpenLiberty extends Server {

    /** What XA needs in JNDI. */
    static final XaContract.Names NAMES =
            new XaContract.Names("jms/XAConnectionFactory", "jdbc/Ledger", "com.ibm.tx.jta.TransactionManagerFactory");

    private static final String STARTED = "CWWKZ0001I";
    private static final String STOPPED = "CWWKZ0009I";

    private static final String SHOP = "<dataSource id=\"Shop\" jndiName=\"jdbc/Shop\" ";
    private static final String READ_COMMITTED = "isolationLevel=\"TRANSACTION_READ_COMMITTED\"";
    private static final String REPEATABLE_READ = "isolationLevel=\"TRANSACTION_REPEATABLE_READ\"";

    /** For the tests, beside what is in the page. */
    private static final String MORE = """
              <jmsActivationSpec id="shop/Notes">
                <properties.readpast/>
              </jmsActivationSpec>
              <jmsQueue id="notes" jndiName="jms/queue/notes">
                <properties.readpast physicalName="notes"/>
              </jmsQueue>
              <jmsActivationSpec id="shop/Receipts">
                <properties.readpast/>
              </jmsActivationSpec>
              <jmsQueue id="receipts" jndiName="jms/queue/receipts">
                <properties.readpast physicalName="receipts"/>
              </jmsQueue>
              <jmsActivationSpec id="shop/News">
                <properties.readpast/>
              </jmsActivationSpec>
              <jmsTopic id="news" jndiName="jms/topic/news">
                <properties.readpast physicalName="news"/>
              </jmsTopic>
            </server>""";

    /** What the bean with news has for the tests: the seconds that its transactions may last. */
    private static final String TIMEOUT = """
            <ejb-jar-ext xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.1">
              <message-driven name="News">
                <global-transaction transaction-time-out="%d"/>
              </message-driven>
            </ejb-jar-ext>
            """.formatted(SHORT_TIMEOUT_SECONDS);

    private final Path configuration;
    private final Application application;

    private OpenLiberty(Path configuration, Application application, int port, Process process) {
        super(port, configuration.resolve("logs/messages.log"), process);
        this.configuration = configuration;
        this.application = application;
    }

    static OpenLiberty start(Edition edition, String jdbcUrl, String user) throws IOException {
        return start("shop", edition, jdbcUrl, user);
    }

    /**
     * @param name of the server, beside which there may be others
     * @param jdbcUrl of the database, with its user
     */
    static OpenLiberty start(String name, Edition edition, String jdbcUrl, String user) throws IOException {
        configure(name, edition, jdbcUrl, user, FILES);
        return start(name, edition, true);
    }

    /** With an isolation of the application's DataSource in which nothing is received. */
    static OpenLiberty startWithRepeatableRead(String name, Edition edition, String jdbcUrl, String user)
            throws IOException {
        configure(name, edition, jdbcUrl, user, FILES);
        Path xml = folder(name).resolve("server.xml");
        Files.writeString(xml, replace(Files.readString(xml), SHOP + READ_COMMITTED, SHOP + REPEATABLE_READ));
        return start(name, edition, true);
    }

    /** Sets that isolation as the page has it, while the server runs. */
    void setReadCommitted() throws IOException {
        Path xml = configuration.resolve("server.xml");
        Files.writeString(xml, replace(Files.readString(xml), SHOP + REPEATABLE_READ, SHOP + READ_COMMITTED));
    }

    /**
     * With what docs/containers/xa.md has beside its page.
     *
     * @param first false for one that was configured already, and knows what it has noted of its transactions
     * @param databases a JDBC URL to put a database's name behind
     */
    static OpenLiberty startWithXa(Edition edition, boolean first, String databases, String user, boolean deployed)
            throws IOException {
        String name = "xa";
        if (first) {
            configure(name, edition, databases + "shop", user, filesWithDriverInArchive(edition, "open-liberty-xa"));
            Path overrides = folder(name).resolve("configDropins/overrides");
            Files.createDirectories(overrides);
            String xml = replace(block("xa.md", "xml"), "jdbc:postgresql://db/", databases);
            xml = replace(xml, "user=\"shop\"", "user=\"" + user + "\"");
            xml = replace(xml, "userName=\"shop\"", "userName=\"" + user + "\"");
            Files.writeString(overrides.resolve("xa.xml"), xml);
        }
        return start(name, edition, deployed);
    }

    private static Path folder(String name) {
        return unpacked("wlp").resolve("usr/servers").resolve(name);
    }

    private static void configure(String name, Edition edition, String jdbcUrl, String user, Path from)
            throws IOException {
        Path configuration = folder(name);
        // With the classes of an adapter of the same version, which it keeps.
        deleteAll(configuration);
        Files.createDirectories(configuration.resolve("dropins"));
        String xml = block(edition, "open-liberty.md", "xml");
        xml = replace(xml, "jdbc:postgresql://db/shop", jdbcUrl);
        xml = replace(xml, "user=\"shop\"", "user=\"" + user + "\"");
        xml = replace(xml, "9080", "${env.PORT}");
        xml = replace(xml, "</server>", MORE);
        // For the timer.
        String beans = edition == Edition.JAKARTA ? "enterpriseBeansLite-4.0" : "ejbLite-3.2";
        xml = replace(xml, "</featureManager>", "<feature>" + beans + "</feature></featureManager>");
        Files.writeString(configuration.resolve("server.xml"), xml);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file :
                    files.filter(file -> file.toString().matches(".*[.][rj]ar")).toList()) {
                Files.copy(file, configuration.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static OpenLiberty start(String name, Edition edition, boolean deployed) throws IOException {
        Path home = unpacked("wlp");
        Path configuration = folder(name);
        int port = freePort();
        Application application = new Application(edition, "", "readpast");
        deleteAll(configuration.resolve("logs"));
        Files.deleteIfExists(configuration.resolve("dropins/shop.war"));
        if (deployed) {
            write(application, configuration.resolve("dropins/shop.war"));
        }
        Path console = Path.of("target/open-liberty-" + name + ".log").toAbsolutePath();
        ProcessBuilder builder = command(List.of(home.resolve("bin/server").toString(), "run", name))
                .redirectOutput(console.toFile());
        builder.environment().put("PORT", String.valueOf(port));
        OpenLiberty server = new OpenLiberty(configuration, application, port, builder.start());
        try {
            server.awaitLog("CWWKF0011I", 1);
            if (deployed) {
                server.awaitLog(STARTED, 1);
            }
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    @Override
    void deploy() throws IOException {
        Path written = configuration.resolve("shop.war");
        write(application, written);
        deploy(written);
    }

    /** Takes the application away and deploys it again, with a library. */
    void deployAgainWith(Path jar) throws IOException {
        undeploy();
        Path written = configuration.resolve("shop.war");
        write(application, written);
        addLibrary(written, jar);
        deploy(written);
    }

    private static void write(Application application, Path archive) throws IOException {
        application.write(archive, "ibm-ejb-jar-ext.xml", TIMEOUT);
    }

    private void deploy(Path written) throws IOException {
        int before = logged(STARTED);
        Files.move(written, configuration.resolve("dropins/shop.war"), StandardCopyOption.ATOMIC_MOVE);
        awaitLog(STARTED, before + 1);
    }

    @Override
    void undeploy() throws IOException {
        int before = logged(STOPPED);
        Files.delete(configuration.resolve("dropins/shop.war"));
        awaitLog(STOPPED, before + 1);
    }
}
