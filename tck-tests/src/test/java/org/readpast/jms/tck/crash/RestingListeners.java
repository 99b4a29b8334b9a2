package org.readpast.jms.tck.crash;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.management.ProviderMXBean;
import org.readpast.jms.tck.rig.Parent;

/** Listens, reports each message, and whether it leaves it to another JVM to look for messages, until it is told to end. */
public final class RestingListeners {

    public static final String RECEIVED = "received";
    static final String RESTS = "rests";
    static final String LOOKS = "looks";

    private static final long REST_MILLIS = 1_000;

    /** So often it looks meanwhile at the most where another one looks for it: every five seconds. By itself it looks four times. */
    private static final int LOOKS_AT_REST = 1;

    private RestingListeners() {}

    /** @param arguments URL, queue, how many listeners */
    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.listen();
        Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(arguments[1])).setMessageListener(message -> {
                try {
                    Parent.report(RECEIVED + " " + ((TextMessage) message).getText());
                } catch (JMSException e) {
                    Parent.report("problem " + e);
                }
            });
        }
        connection.start();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = server.queryNames(new ObjectName("org.readpast.jms:type=Provider,*"), null)
                .iterator()
                .next();
        ProviderMXBean bean = JMX.newMXBeanProxy(server, name, ProviderMXBean.class);
        boolean rested = false;
        while (!parent.said("end")) {
            long looks = bean.getLooks();
            TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
            boolean rests = bean.isLookedFor() && bean.getLooks() - looks <= LOOKS_AT_REST;
            if (rests != rested) {
                Parent.report(rests ? RESTS : LOOKS);
                rested = rests;
            }
        }
        connection.close();
        System.exit(0);
    }
}
