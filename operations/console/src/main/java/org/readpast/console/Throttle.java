package org.readpast.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Counts attempts to sign in, by account and by address, and refuses more than so many within ten minutes. An attempt counts from its
 * start, so that attempts side by side are counted too, and is forgotten if it succeeds. Thread-safe.
 */
final class Throttle {

    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final int OF_ACCOUNT = 5;
    private static final int OF_ADDRESS = 20;
    private static final int REMEMBERED = 10_000;

    private final Clock clock;
    /** Guarded by this. The one that was not used for longest goes first. */
    private final Map<String, Deque<Instant>> attempts = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Instant>> eldest) {
            return size() > REMEMBERED;
        }
    };

    Throttle(Clock clock) {
        this.clock = clock;
    }

    /** Counts an attempt; false if there were too many, and it is not to be made. */
    synchronized boolean begin(String account, String address) {
        Deque<Instant> ofAccount = recent(account(account));
        Deque<Instant> ofAddress = recent(address(address));
        if (ofAccount.size() >= OF_ACCOUNT || ofAddress.size() >= OF_ADDRESS) {
            return false;
        }
        ofAccount.addLast(clock.instant());
        ofAddress.addLast(clock.instant());
        return true;
    }

    /** The attempt came to a session: it counts no more, and neither do earlier ones at this account. */
    synchronized void succeeded(String account, String address) {
        attempts.remove(account(account));
        recent(address(address)).pollLast();
    }

    private Deque<Instant> recent(String key) {
        Deque<Instant> found = attempts.computeIfAbsent(key, absent -> new ArrayDeque<>());
        Instant since = clock.instant().minus(WINDOW);
        while (!found.isEmpty() && found.peekFirst().isBefore(since)) {
            found.removeFirst();
        }
        return found;
    }

    /** Logins of SQL Server may be the same in any case. */
    private static String account(String name) {
        return "account " + name.strip().toLowerCase(Locale.ROOT);
    }

    /** Of an IPv6 address the network, since one who has an address has all of its network. */
    private static String address(String address) {
        if (!address.contains(":")) {
            return "address " + address;
        }
        try {
            byte[] bytes = java.net.InetAddress.getByName(address).getAddress();
            return "network " + java.util.HexFormat.of().formatHex(bytes, 0, Math.min(8, bytes.length));
        } catch (java.net.UnknownHostException e) {
            return "address " + address;
        }
    }
}
