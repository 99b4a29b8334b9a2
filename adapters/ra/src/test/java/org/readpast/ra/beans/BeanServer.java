package org.readpast.ra.beans;

import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.ra.ReadpastActivationSpec;
import org.readpast.ra.ReadpastResourceAdapter;

/** A server with message-driven beans that have no transactions, as far as the adapter asks it for anything. Thread-safe. */
final class BeanServer implements AutoCloseable {

    /** What the beans were given. */
    final BlockingQueue<Message> given = new LinkedBlockingQueue<>();

    /** What the beans do. */
    volatile MessageListener bean = given::add;

    /** What it throws when it is asked for an endpoint, one after the other. */
    final Queue<Error> errors = new ConcurrentLinkedQueue<>();

    /** How often it was asked for an endpoint. */
    final AtomicInteger asked = new AtomicInteger();

    /** Whether it has threads left; without, it refuses as thread pools do that servers give work to. */
    volatile boolean hasThreads = true;

    /** Whether its threads are all taken, and work waits for one. */
    volatile boolean queues;

    /** The work that waits. */
    final Queue<Work> queued = new ConcurrentLinkedQueue<>();

    private final ReadpastResourceAdapter adapter = new ReadpastResourceAdapter();
    private final int refusals;

    /**
     * @param url of the database
     * @param refusals how often it has no endpoint to give before it has
     */
    BeanServer(String url, int refusals) throws ResourceException {
        this.refusals = refusals;
        WorkManager threads = answering(WorkManager.class, Map.of("scheduleWork", arguments -> {
            if (!hasThreads) {
                throw new RejectedExecutionException("no thread left");
            }
            if (queues) {
                queued.add((Work) arguments[0]);
            } else {
                new Thread((Work) arguments[0], "bean").start();
            }
            return null;
        }));
        TransactionSynchronizationRegistry registry = answering(TransactionSynchronizationRegistry.class, Map.of());
        adapter.setUrl(url);
        adapter.start(answering(
                BootstrapContext.class,
                Map.of(
                        "getWorkManager", arguments -> threads,
                        "getTransactionSynchronizationRegistry", arguments -> registry)));
    }

    /** What a server gives to those who deliver messages. */
    interface Bean extends MessageEndpoint, MessageListener {}

    @FunctionalInterface
    interface Answer {
        Object to(Object[] arguments) throws Exception;
    }

    /** Answers to some of its methods, and with null to others; equal to itself only. */
    static <T> T answering(Class<T> type, Map<String, Answer> answers) {
        return type.cast(Proxy.newProxyInstance(
                BeanServer.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> {
                        Answer answer = answers.get(method.getName());
                        yield answer == null ? null : answer.to(arguments);
                    }
                }));
    }

    private Object endpoint() throws UnavailableException {
        Error error = errors.poll();
        if (error != null) {
            throw error;
        }
        if (asked.incrementAndGet() <= refusals) {
            throw new UnavailableException("no endpoint for now");
        }
        return answering(Bean.class, Map.of("onMessage", arguments -> {
            bean.onMessage((Message) arguments[0]);
            return null;
        }));
    }

    /** Deploys a bean of a queue, and returns what undeploys it and waits for what it is at. */
    Runnable deploy(String queue, int maxSession) throws ResourceException {
        ReadpastActivationSpec spec = new ReadpastActivationSpec();
        spec.setResourceAdapter(adapter);
        spec.setDestination(queue);
        spec.setDestinationType(jakarta.jms.Queue.class.getName());
        spec.setMaxSession(String.valueOf(maxSession));
        MessageEndpointFactory endpoints = answering(
                MessageEndpointFactory.class,
                Map.of(
                        "isDeliveryTransacted", arguments -> false,
                        "getEndpointClass", arguments -> BeanServer.class,
                        "createEndpoint", arguments -> endpoint()));
        adapter.endpointActivation(endpoints, spec);
        return () -> adapter.endpointDeactivation(endpoints, spec);
    }

    @Override
    public void close() {
        adapter.stop();
    }
}
