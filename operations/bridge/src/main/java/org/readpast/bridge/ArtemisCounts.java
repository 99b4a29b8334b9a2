package org.readpast.bridge;

import java.io.IOException;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/** Of Artemis, by the beans of its management API: QueueControl, AddressControl, ActiveMQServerControl. */
final class ArtemisCounts extends BrokerCounts {

    ArtemisCounts(MBeanServerConnection connection, ObjectName broker) {
        super(connection, broker);
    }

    /** A queue's MessageCount has all of its messages: scheduled ones, those on pages and those that are being delivered, too. */
    @Override
    public List<Remaining> of(Place source) throws IOException, JMException {
        List<ObjectName> found =
                find(address(source.name()) + ",subcomponent=queues,queue=" + quoted(queue(source)) + ",*");
        if (found.isEmpty()) {
            return List.of(Remaining.NOT_THERE);
        }
        ObjectName queue = found.get(0);
        long scheduled = number(queue, "ScheduledCount");
        long delivering = number(queue, "DeliveringCount");
        long all = number(queue, "MessageCount");
        return List.of(
                new Remaining("waiting", Math.max(0, all - scheduled - delivering)),
                new Remaining("scheduled", scheduled),
                new Remaining("delivering", delivering),
                new Remaining("pages", number(find(address(source.name())).get(0), "NumberOfPages")),
                new Remaining("prepared transactions of all queues", (long)
                        ((String[]) call(broker(), "listPreparedTransactions")).length),
                new Remaining("dead letters", deadLetters(queue, queue(source))));
    }

    private static String address(String name) {
        return "component=addresses,address=" + quoted(name);
    }

    private static String quoted(String name) {
        return ObjectName.quote(name);
    }

    /** As Artemis' JMS client names the queue of a subscription: DestinationUtil. */
    private static String queue(Place source) {
        if (!source.isTopic()) {
            return source.name();
        }
        return (source.clientId() == null ? "" : escaped(source.clientId()) + ".") + escaped(source.subscription());
    }

    private static String escaped(String name) {
        return name.replace("\\", "\\\\").replace(".", "\\.");
    }

    private long deadLetters(ObjectName queue, String name) throws IOException, JMException {
        String address = (String) attribute(queue, "DeadLetterAddress");
        long letters = 0;
        if (address != null) {
            for (ObjectName dead : find(address(address) + ",subcomponent=queues,*")) {
                String isOfQueue = "_AMQ_ORIG_QUEUE = '" + name.replace("'", "''") + "'";
                letters += ((Number) call(dead, "countMessages", isOfQueue)).longValue();
            }
        }
        return letters;
    }
}
