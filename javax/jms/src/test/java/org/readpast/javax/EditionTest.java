package org.readpast.javax;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import javax.jms.Connection;
import javax.jms.ConnectionFactory;
import javax.jms.ConnectionMetaData;
import javax.jms.JMSContext;
import javax.jms.Queue;
import javax.naming.InitialContext;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.NamingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.jndi.ReadpastObjectFactory;

/** What is different in this edition, as its user sees it. */
class EditionTest {

    private static final String URL = "readpast:jdbc:h2:mem:edition#idleCloseMillis=0";

    @Test
    void it_says_that_it_is_jms_2_0() throws Exception {
        try (Connection connection = new ReadpastConnectionFactory(URL).createConnection()) {
            ConnectionMetaData metaData = connection.getMetaData();
            assertThat(metaData.getJMSVersion()).isEqualTo("2.0");
            assertThat(metaData.getJMSMajorVersion()).isEqualTo(2);
            assertThat(metaData.getJMSMinorVersion()).isZero();
            assertThat(metaData.getProviderVersion()).startsWith("0.");
        }
    }

    @Test
    void jndi_configuration_is_that_of_the_other_edition() throws Exception {
        Hashtable<String, String> jndi = new Hashtable<>();
        jndi.put("java.naming.factory.initial", "org.readpast.jms.jndi.ReadpastInitialContextFactory");
        jndi.put("java.naming.provider.url", URL);
        jndi.put("queue.orders", "orders");
        InitialContext names = new InitialContext(jndi);
        Queue orders = (Queue) names.lookup("orders");
        try (JMSContext context = ((ConnectionFactory) names.lookup("ConnectionFactory")).createContext()) {
            context.createProducer().send(orders, "one coffee");
            assertThat(context.createConsumer(orders).receiveBody(String.class, 10_000))
                    .isEqualTo("one coffee");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"javax.jms.Queue", "jakarta.jms.Queue", "org.readpast.jms.destination.ReadpastQueue"})
    void a_destination_is_made_for_its_interface_of_either_api(String type) throws Exception {
        Reference reference = new Reference(
                type, new StringRefAddr("physicalName", "orders"), ReadpastObjectFactory.class.getName(), null);
        assertThat(NamingManager.getObjectInstance(reference, null, null, null)).isEqualTo(new ReadpastQueue("orders"));
    }

    /** As a bundle it asks for the API of JMS 2.0 and for Java 11; as a module it has the name that the other edition has. */
    @Test
    void its_manifest_says_what_it_needs() throws Exception {
        Path classes = Path.of(ReadpastConnectionFactory.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Attributes manifest = manifest(classes);
        assertThat(manifest.getValue("Automatic-Module-Name")).isEqualTo("org.readpast.jms");
        assertThat(manifest.getValue("Import-Package"))
                .contains("javax.jms;version=\"[2.0,3)\"")
                .doesNotContain("jakarta");
        assertThat(manifest.getValue("Require-Capability")).contains("(osgi.ee=JavaSE)(version=11)");
        assertThat(manifest.getValue("Bundle-SymbolicName")).isEqualTo("org.readpast.jms.javax");
        // The jar that this edition is made of.
        try (DirectoryStream<Path> jars =
                        Files.newDirectoryStream(classes.resolveSibling("jakarta-edition"), "readpast-jms-*.jar");
                FileSystem jar = FileSystems.newFileSystem(jars.iterator().next())) {
            assertThat(manifest.getValue("Export-Package"))
                    .isEqualTo(manifest(jar.getPath("/")).getValue("Export-Package"));
        }
    }

    private static Attributes manifest(Path root) throws IOException {
        try (InputStream file = Files.newInputStream(root.resolve("META-INF/MANIFEST.MF"))) {
            return new Manifest(file).getMainAttributes();
        }
    }
}
