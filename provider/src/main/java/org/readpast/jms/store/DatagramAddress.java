package org.readpast.jms.store;

import java.util.List;

/**
 * Where a JVM hears the datagrams of others, as its row in the database says. Whoever may read the row may send to it. Immutable.
 *
 * @param hosts literal IP addresses, one of which may be reached from where somebody reads this
 * @param port the UDP port
 * @param secret what datagrams to this address are signed with, in Base64; no datagram carries it
 */
public record DatagramAddress(List<String> hosts, int port, String secret) {

    /** The hosts do not change any more. */
    public DatagramAddress {
        hosts = List.copyOf(hosts);
    }

    /** For logs: without the secret. */
    @Override
    public String toString() {
        return String.join(",", hosts) + " port " + port;
    }
}
