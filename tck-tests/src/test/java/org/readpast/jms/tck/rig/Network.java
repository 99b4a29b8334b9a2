package org.readpast.jms.tck.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.opentest4j.TestAbortedException;

/**
 * A network with hosts of their own on this machine: namespaces of Linux, joined by a bridge that this machine is at too. It needs root. Addresses
 * are of 198.18.0.0/16, which RFC 2544 keeps for tests, or of fd18::/16, which are nobody's elsewhere (RFC 4193). For one thread.
 */
public final class Network implements AutoCloseable {

    private static final int LEAST_OF_HOSTS = 10;

    private final String name =
            "rp" + Integer.toHexString(ThreadLocalRandom.current().nextInt(0x1000, 0x10000));

    /** What all addresses begin with, and how many bits these are. */
    private final String prefix;

    private final int bits;
    private final List<Host> hosts = new ArrayList<>();

    /** The last parts of addresses that are given out: to this machine from the beginning, to hosts from {@link #LEAST_OF_HOSTS}. */
    private int ownAddresses;

    private int hostAddresses = LEAST_OF_HOSTS;

    private Network(String prefix, int bits) {
        this.prefix = prefix;
        this.bits = bits;
    }

    /**
     * A network without hosts.
     *
     * @throws TestAbortedException where this user may not make one, or this system has none
     */
    public static Network open() {
        return open(new Network("198.18." + ThreadLocalRandom.current().nextInt(1, 255) + ".", 24));
    }

    /** The same where there is nothing but IPv6. */
    public static Network openIpv6() {
        return open(new Network(
                "fd18:" + Integer.toHexString(ThreadLocalRandom.current().nextInt(0x1000, 0x10000)) + "::", 64));
    }

    private static Network open(Network network) {
        try {
            run("ip", "link", "add", network.name, "type", "bridge");
        } catch (IllegalStateException | UncheckedIOException e) {
            throw new TestAbortedException("No network of several hosts can be made here: " + e.getMessage(), e);
        }
        run("ip", "link", "set", network.name, "up");
        return network;
    }

    /** One more address of this machine in the network. */
    public InetAddress ownAddress() {
        String address = prefix + ++ownAddresses;
        run(adding(address, bits, name));
        return parsed(address);
    }

    /** An address of IPv6 could not be used at once otherwise, while the system looks whether another host has it. */
    private static String[] adding(String address, int bits, String networkInterface) {
        List<String> add =
                new ArrayList<>(List.of("ip", "address", "add", address + "/" + bits, "dev", networkInterface));
        if (address.contains(":")) {
            add.add("nodad");
        }
        return add.toArray(String[]::new);
    }

    /** A new host, which reaches all others and this machine, and nothing else. */
    public Host host() {
        Host host = new Host(name + "-" + hosts.size(), name + "v" + hosts.size());
        hosts.add(host);
        host.make();
        return host;
    }

    private static InetAddress parsed(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + said.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    /** Removes the hosts, and their connections with them. What runs there is to be ended before. */
    @Override
    public void close() {
        for (Host host : hosts) {
            // Connections that nobody has ended keep a namespace for a while.
            run("ip", "link", "delete", host.plug);
            run("ip", "netns", "delete", host.namespace);
        }
        run("ip", "link", "delete", name);
    }

    /** A host in the network, with one network interface. */
    public final class Host {

        private final String namespace;

        /** The end of its cable at the bridge. */
        private final String plug;

        private InetAddress address;

        private Host(String namespace, String plug) {
            this.namespace = namespace;
            this.plug = plug;
        }

        private void make() {
            run("ip", "netns", "add", namespace);
            run("ip", "link", "add", plug, "type", "veth", "peer", "name", "eth0", "netns", namespace);
            run("ip", "link", "set", plug, "master", name, "up");
            in("ip", "link", "set", "lo", "up");
            in("ip", "link", "set", "eth0", "up");
            changeAddress();
        }

        private void in(String... command) {
            List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
            all.addAll(List.of(command));
            run(all.toArray(String[]::new));
        }

        public InetAddress address() {
            return address;
        }

        /** Gives it another address instead of the one that it has. What is connected with that one hears nothing more. */
        public void changeAddress() {
            in("ip", "address", "flush", "dev", "eth0");
            address = parsed(prefix + hostAddresses++);
            in(adding(address.getHostAddress(), bits, "eth0"));
        }

        /** Gives it one more network interface, which leads nowhere, with this address of IPv4. */
        public void addNetworkWithin(String networkInterface, String itsAddress) {
            in("ip", "link", "add", networkInterface, "type", "bridge");
            in("ip", "link", "set", networkInterface, "up");
            in(adding(itsAddress, 16, networkInterface));
        }

        /** From now on it hears no datagram, which it may send, until {@link #hear}. */
        public void deafen() {
            in("ip", "link", "add", "hole", "type", "bridge");
            in("ip", "link", "set", "hole", "up");
            in("tc", "qdisc", "add", "dev", "eth0", "ingress");
            String match = "parent ffff: protocol ip u32 match ip protocol 17 0xff";
            in(("tc filter add dev eth0 " + match + " action mirred egress redirect dev hole").split(" "));
        }

        public void hear() {
            in("tc", "qdisc", "delete", "dev", "eth0", "ingress");
        }

        /** Pulls its cable: nothing reaches it, and nothing of it anybody else, until {@link #plugIn}. */
        public void unplug() {
            run("ip", "link", "set", plug, "down");
        }

        public void plugIn() {
            run("ip", "link", "set", plug, "up");
        }

        /** Starts a program there, as {@link ChildJvm#start}. */
        public ChildJvm start(Class<?> program, List<String> options, String... arguments) {
            return ChildJvm.startBy(
                    List.of("ip", "netns", "exec", namespace),
                    System.getProperty("java.class.path"),
                    program,
                    options,
                    arguments);
        }
    }
}
