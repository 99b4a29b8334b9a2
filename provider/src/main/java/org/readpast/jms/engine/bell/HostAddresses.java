package org.readpast.jms.engine.bell;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.readpast.jms.config.Settings;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** By which addresses other hosts may reach this one. */
final class HostAddresses {

    private static final Logger LOG = Loggers.of(HostAddresses.class);

    /** How many are told to others. */
    static final int MOST = 4;

    /** Networks within a host, which have the same addresses on every host. */
    private static final Pattern WITHIN_HOST = Pattern.compile("(docker|br-|veth|virbr|podman|cni|flannel|vmnet).*");

    private HostAddresses() {}

    /**
     * Up to four, the likely ones first. Loopback where there is no other: then all who can reach this JVM are on this host. The addresses of
     * a link alone say nothing elsewhere and are left out.
     */
    static List<String> find() {
        List<NetworkInterface> networks;
        try {
            networks = NetworkInterface.networkInterfaces()
                    .sorted(Comparator.comparing((NetworkInterface network) ->
                                    WITHIN_HOST.matcher(network.getName()).matches())
                            .thenComparing(NetworkInterface::getIndex))
                    .toList();
        } catch (SocketException e) {
            LOG.debug("This host does not tell its network interfaces", e);
            networks = List.of();
        }
        List<String> found = new ArrayList<>();
        for (NetworkInterface network : networks) {
            network.inetAddresses()
                    .filter(HostAddresses::isReachable)
                    .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address)))
                    .forEach(address -> found.add(text(address)));
        }
        return found.isEmpty()
                ? List.of(text(InetAddress.getLoopbackAddress()))
                : found.subList(0, Math.min(MOST, found.size()));
    }

    private static boolean isReachable(InetAddress address) {
        return !address.isLoopbackAddress()
                && !address.isLinkLocalAddress()
                && !address.isAnyLocalAddress()
                && !address.isMulticastAddress();
    }

    /** Without the interface that Java writes behind an address of IPv6, which is known on this host alone. */
    static String text(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }

    /** The address that a text is; nothing if it is a name, which nobody is asked for. */
    static Stream<InetAddress> literal(String text) {
        if (!Settings.isAddress(text)) {
            return Stream.empty();
        }
        try {
            return Stream.of(InetAddress.getByName(text));
        } catch (UnknownHostException e) {
            LOG.debug("'{}' is no address", text, e);
            return Stream.empty();
        }
    }
}
