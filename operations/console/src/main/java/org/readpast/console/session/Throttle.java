package org.readpast.console.session;

import java.text.Normalizer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Counts attempts to sign in, by account and by address, and refuses more than so many within ten minutes. An attempt counts from its
 * start, so that attempts side by side are counted too, and is forgotten if it succeeds. Thread-safe.
 */
public final class Throttle {

    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final int OF_ACCOUNT = 5;
    private static final int OF_ADDRESS = 20;
    private static final int REMEMBERED = 10_000;
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{M}\\p{Cc}\\p{Cf}]");

    private final Clock clock;
    private final Attempts accounts = new Attempts(OF_ACCOUNT);
    private final Attempts addresses = new Attempts(OF_ADDRESS);

    /** With no attempts so far. */
    public Throttle(Clock clock) {
        this.clock = clock;
    }

    /** Counts an attempt; false if there were too many, and it is not to be made. */
    public synchronized boolean begin(String account, String address) {
        String name = account(account);
        String from = address(address);
        if (!addresses.hasRoom(from) || !accounts.hasRoom(name)) {
            return false;
        }
        addresses.add(from);
        accounts.add(name);
        return true;
    }

    /** The attempt came to a session: it counts no more, and neither do earlier ones at this account. */
    public synchronized void succeeded(String account, String address) {
        accounts.ofKey.remove(account(account));
        addresses.takeBack(address(address));
    }

    /** The attempt found nobody who would have known the password: it counts no more. */
    public synchronized void takeBack(String account, String address) {
        accounts.takeBack(account(account));
        addresses.takeBack(address(address));
    }

    /** Attempts of the last ten minutes, by a key. Guarded by the throttle. */
    private final class Attempts {

        private final int most;
        private final Map<String, Deque<Instant>> ofKey = new LinkedHashMap<>();

        Attempts(int most) {
            this.most = most;
        }

        boolean hasRoom(String key) {
            Deque<Instant> found = ofKey.get(key);
            if (found == null) {
                return ofKey.size() < REMEMBERED || forgetOne();
            }
            forgetOld(found);
            return found.size() < most;
        }

        /** Not one that has no attempt left, or it would have them all again. */
        private boolean forgetOne() {
            Iterator<Deque<Instant>> all = ofKey.values().iterator();
            while (all.hasNext()) {
                Deque<Instant> next = all.next();
                forgetOld(next);
                if (next.size() < most) {
                    all.remove();
                    return true;
                }
            }
            return false;
        }

        private void forgetOld(Deque<Instant> found) {
            Instant since = clock.instant().minus(WINDOW);
            while (!found.isEmpty() && found.peekFirst().isBefore(since)) {
                found.removeFirst();
            }
        }

        void add(String key) {
            ofKey.computeIfAbsent(key, absent -> new ArrayDeque<>()).addLast(clock.instant());
        }

        void takeBack(String key) {
            Deque<Instant> found = ofKey.get(key);
            if (found != null) {
                found.pollLast();
            }
        }
    }

    /** One name for all that a database may take for the same: in any case, width and with any accents. */
    public static String account(String name) {
        return INVISIBLE
                .matcher(Normalizer.normalize(name, Normalizer.Form.NFKD))
                .replaceAll("")
                .toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT)
                .strip();
    }

    /** Of an IPv6 address the network, since one who has an address has all of its network. */
    private static String address(String address) {
        if (!address.contains(":")) {
            return address;
        }
        try {
            byte[] bytes = java.net.InetAddress.getByName(address).getAddress();
            return java.util.HexFormat.of().formatHex(bytes, 0, Math.min(8, bytes.length));
        } catch (java.net.UnknownHostException e) {
            return address;
        }
    }
}
