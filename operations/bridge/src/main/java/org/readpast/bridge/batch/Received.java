package org.readpast.bridge.batch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The messages that a link has received for one batch, and what became of each. Their bodies are not kept. Used by one thread. */
public final class Received {

    private final Set<String> ids = new HashSet<>();
    private final Set<String> crossed = new LinkedHashSet<>();
    private final List<Crossing> requests = new ArrayList<>();
    private String only;
    private int crossing;
    private int recognized;
    private int dead;

    /** Whether this is the first message of its id. */
    public boolean isFirst(String id) {
        return ids.add(id);
    }

    /** The ids of all messages that have one. */
    public Set<String> ids() {
        return ids;
    }

    /**
     * A message crosses.
     *
     * @param key what it is known by when it comes again, whether it has an id or none
     */
    public void crosses(String key) {
        crossing++;
        only = crossing == 1 ? key : null;
    }

    /** A message has been written on the other side, or had crossed already. */
    public void crossed(String id) {
        crossed.add(id);
    }

    /** A message had crossed already. */
    public void recognized(String id) {
        recognized++;
        crossed(id);
    }

    /** A message does not cross. */
    public void isDead() {
        dead++;
    }

    /** A request is to be found by its reply. */
    public void request(Crossing request) {
        requests.add(request);
    }

    /** Those that are to be found by their replies. */
    public List<Crossing> requests() {
        return requests;
    }

    /**
     * What the side stores where messages go.
     *
     * @param before the number of the batch before
     * @param known of which earlier messages it is not known whether the other side has let them go
     */
    public Batch batch(long before, Set<String> known) {
        Set<String> open = new LinkedHashSet<>(known);
        open.removeAll(crossed);
        return new Batch(before + 1, before, crossed, open);
    }

    /** What the message that crosses is known by, if it is a single one; otherwise null. */
    public String only() {
        return only;
    }

    /** How many messages cross. */
    public int crossing() {
        return crossing;
    }

    /** How many had crossed already. */
    public int recognized() {
        return recognized;
    }

    /** How many do not cross. */
    public int dead() {
        return dead;
    }

    /** How many were received. */
    public int all() {
        return crossing + recognized + dead;
    }
}
