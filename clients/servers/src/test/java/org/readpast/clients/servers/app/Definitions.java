package org.readpast.clients.servers.app;

import jakarta.jms.JMSConnectionFactoryDefinition;
import jakarta.jms.JMSDestinationDefinition;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;

/**
 * What the application defines: connection factories over the DataSource, by a URL, and over a DataSource that takes no part in transactions; and
 * a queue. TomEE needs the name of the class, and that the first one is not transactional; Open Liberty takes the adapter's DataSource where none
 * is named.
 */
@JMSConnectionFactoryDefinition(
        name = "java:app/jms/Annotated",
        className = "org.readpast.ra.ReadpastManagedConnectionFactory",
        resourceAdapter = "${adapter}",
        transactional = false,
        properties = {"dataSource=${dataSource}", "url=${url}"})
@JMSConnectionFactoryDefinition(
        name = "java:app/jms/ByUrl",
        className = "org.readpast.ra.ReadpastManagedConnectionFactory",
        resourceAdapter = "${adapter}",
        properties = {"dataSource=", "url=readpast:${prefix}jdbc/ShopOwn"})
@JMSConnectionFactoryDefinition(
        name = "java:app/jms/Outside",
        className = "org.readpast.ra.ReadpastManagedConnectionFactory",
        resourceAdapter = "${adapter}",
        transactional = false,
        properties = {"dataSource=java:app/jdbc/Outside", "url=readpast:${prefix}jdbc/ShopOwn"})
@JMSDestinationDefinition(
        name = "java:app/jms/queue/annotated",
        interfaceName = "jakarta.jms.Queue",
        className = "org.readpast.jms.destination.ReadpastQueue",
        resourceAdapter = "${adapter}",
        properties = "physicalName=annotated")
@WebServlet("/definitions")
public class Definitions extends HttpServlet {

    private static final long serialVersionUID = 1L;
}
