package org.readpast.jms.tck.crash;

import jakarta.jms.JMSContext;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/** Receives one message, closes its connection, and ends. */
final class BriefConsumer {

    private BriefConsumer() {}

    /** @param arguments URL, queue, where the connection is closed: "main" or "hook" */
    public static void main(String[] arguments) {
        JMSContext context = new ReadpastConnectionFactory(arguments[0]).createContext();
        if (arguments[2].equals("hook")) {
            Runtime.getRuntime().addShutdownHook(new Thread(context::close));
        }
        context.createConsumer(context.createQueue(arguments[1])).receiveBody(String.class, 20_000);
        Parent.report("pid " + ProcessHandle.current().pid());
        if (arguments[2].equals("main")) {
            context.close();
        }
    }
}
