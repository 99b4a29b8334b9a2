package org.readpast.bridge;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;

/** Of ActiveMQ Classic, by the beans of its management API: QueueView, DurableSubscriptionView, JobSchedulerView. */
final class ActiveMqCounts extends BrokerCounts {

    private static final String DEAD_LETTERS = "ActiveMQ.DLQ";

    ActiveMqCounts(MBeanServerConnection connection, ObjectName broker) {
        super(connection, broker);
    }

    @Override
    public List<Remaining> of(Place source) throws IOException, JMException {
        Optional<ObjectName> found = source.isTopic() ? subscription(source) : queue(source.name());
        if (found.isEmpty()) {
            return List.of(Remaining.NOT_THERE);
        }
        ObjectName bean = found.get();
        long all = number(bean, source.isTopic() ? "PendingQueueSize" : "QueueSize");
        long delivering = number(bean, source.isTopic() ? "DispatchedQueueSize" : "InFlightCount");
        return List.of(
                new Remaining("waiting", Math.max(0, all - delivering)),
                new Remaining("scheduled messages of all queues", scheduled()),
                new Remaining("delivering", delivering),
                // Those that were prepared since the broker's start are shown by no bean; what they have received is
                // being delivered.
                new Remaining("recovered prepared transactions of all queues", (long)
                        find("transactionType=RecoveredXaTransaction,*").size()),
                new Remaining("dead letters", size(DEAD_LETTERS + ".Queue." + source.name())),
                new Remaining("dead letters of all queues", size(DEAD_LETTERS)));
    }

    private long size(String queue) throws IOException, JMException {
        Optional<ObjectName> bean = queue(queue);
        return bean.isEmpty() ? 0 : number(bean.get(), "QueueSize");
    }

    private Optional<ObjectName> queue(String name) throws IOException, JMException {
        for (ObjectName bean : find("destinationType=Queue,destinationName=*")) {
            if (name.equals(attribute(bean, "Name"))) {
                return Optional.of(bean);
            }
        }
        return Optional.empty();
    }

    private Optional<ObjectName> subscription(Place source) throws IOException, JMException {
        for (ObjectName bean : find("destinationType=Topic,endpoint=Consumer,*")) {
            if (source.name().equals(attribute(bean, "DestinationName"))
                    && Objects.equals(source.subscription(), attribute(bean, "SubscriptionName"))
                    && Objects.equals(source.clientId(), attribute(bean, "ClientId"))) {
                return Optional.of(bean);
            }
        }
        return Optional.empty();
    }

    private long scheduled() throws IOException, JMException {
        long jobs = 0;
        for (ObjectName scheduler : find("service=JobScheduler,*")) {
            jobs += ((TabularData) attribute(scheduler, "AllJobs")).size();
        }
        return jobs;
    }
}
