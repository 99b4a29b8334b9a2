package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** TomEE, by the tomee.xml of docs/containers/tomee.md. */
final class TomEE extends Catalina {

    private static final Path BASE = Path.of("target/tomee").toAbsolutePath();
    private static final String RESOURCES = "java:openejb/Resource/";
    /** For the tests, beside what is in the page. */
    private static final String MORE = """
            <Resource id="notes" type="jakarta.jms.Queue" class-name="org.readpast.jms.destination.ReadpastQueue">
              PhysicalName notes
            </Resource>
            <Resource id="receipts" type="jakarta.jms.Queue" class-name="org.readpast.jms.destination.ReadpastQueue">
              PhysicalName receipts
            </Resource>
            <Resource id="news" type="jakarta.jms.Topic" class-name="org.readpast.jms.destination.ReadpastTopic">
              PhysicalName news
            </Resource>
            <Resource id="jms/Outside" type="jakarta.jms.ConnectionFactory" class-name="org.readpast.ra.ReadpastManagedConnectionFactory">
              ResourceAdapter readpast
              TransactionSupport none
              DataSource openejb:Resource/jdbc/ShopOwn
              Url readpast:jdbc:postgresql://db/shop#user=shop
            </Resource>
            <Resource id="jms/ByUrl" type="jakarta.jms.ConnectionFactory" class-name="org.readpast.ra.ReadpastManagedConnectionFactory">
              ResourceAdapter readpast
              TransactionSupport local
              Url readpast:openejb:Resource/jdbc/ShopOwn
            </Resource>
            </tomee>""";

    /** The one for all transactions, as it has none for one bean. */
    static final int TIMEOUT_SECONDS = 15;

    private static final String TIMEOUT = """
            <TransactionManager id="transactions" type="TransactionManager">
              DefaultTransactionTimeout %d seconds
            </TransactionManager>
            """.formatted(TIMEOUT_SECONDS);

    /** What XA needs in JNDI. */
    static final XaContract.Names NAMES = new XaContract.Names(
            RESOURCES + "jms/XAConnectionFactory", RESOURCES + "jdbc/Ledger", "java:comp/TransactionManager");

    private TomEE(Path home, Base base, Archive application, boolean deployed) throws IOException {
        super(home, base, application, deployed);
    }

    /** @param jdbcUrl of the database, with its user */
    static TomEE start(Edition edition, String jdbcUrl, String user) throws IOException {
        String xml = replace(block("tomee.md", "xml"), "</tomee>", TIMEOUT + MORE);
        configure(edition, replace(xml, "jdbc:postgresql://db/shop", jdbcUrl), user);
        return start(edition, true);
    }

    /**
     * With what docs/containers/xa.md has in the place of its page's DataSource.
     *
     * @param first false for one that was configured already, and knows what it has noted of its transactions
     * @param databases a JDBC URL to put a database's name behind
     */
    static TomEE startWithXa(Edition edition, boolean first, String databases, String user, boolean deployed)
            throws IOException {
        if (first) {
            String xml = replace(block("tomee.md", "xml"), "</tomee>", MORE);
            int end = xml.indexOf("</Resource>") + "</Resource>".length();
            xml = "<tomee>" + block("xa.md", "tomee-xml") + xml.substring(end);
            xml = replace(xml, "jdbc:postgresql://db/", databases);
            configure(edition, replace(xml, "  User shop", "  User " + user), user);
        }
        return start(edition, deployed);
    }

    private static Path home(Edition edition) {
        return unpacked(edition == Edition.JAKARTA ? "tomee9" : "tomee8");
    }

    private static void configure(Edition edition, String xml, String user) throws IOException {
        makeFolder(home(edition), BASE);
        copyJars(edition, BASE.resolve("lib"));
        String all = replace(replace(xml, "UserName shop", "UserName " + user), "user=shop", "user=" + user);
        Files.writeString(BASE.resolve("conf/tomee.xml"), edition(edition, "tomee.md", all));
    }

    private static TomEE start(Edition edition, boolean deployed) throws IOException {
        Path home = home(edition);
        Archive application =
                new Application(edition, RESOURCES, RESOURCES, "", "", "jms/ConnectionFactory", "readpast")::write;
        TomEE server = new TomEE(home, prepare(home, BASE, application, deployed), application, deployed);
        server.awaitStart();
        return server;
    }

    /** The driver, and the jars of the adapter but for those of SLF4J. */
    private static void copyJars(Edition edition, Path lib) throws IOException {
        String adapter = adapter(edition);
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(".jar")) {
                    Files.copy(file, lib.resolve(file.getFileName()));
                } else if (file.getFileName().toString().matches(adapter)) {
                    unpackJars(file, lib);
                }
            }
        }
    }

    private static void unpackJars(Path archive, Path lib) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (entry.getName().endsWith(".jar") && !entry.getName().startsWith("slf4j-")) {
                    Files.copy(zip.getInputStream(entry), lib.resolve(entry.getName()));
                }
            }
        }
    }
}
