package org.readpast.bridge;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The messages that a link has received for one batch, and what became of each. Their bodies are not kept. Used by one thread. */
final class Received {

    private final Set<String> ids = new HashSet<>();
    private final Map<String, String> crossed = new LinkedHashMap<>();
    private final List<Crossing> requests = new ArrayList<>();
    private String onlyId;
    private int crossing;
    private int recognized;
    private int dead;

    /** Whether this is the first message of its id. */
    boolean isFirst(String id) {
        return ids.add(id);
    }

    Set<String> ids() {
        return ids;
    }

    /**
     * A message crosses.
     *
     * @param id null if it has none
     */
    void crosses(String id) {
        crossing++;
        onlyId = crossing == 1 ? id : null;
    }

    /**
     * A message has been written on the other side, or had crossed already.
     *
     * @param newId that it has got there, where that must be kept, or else empty
     */
    void crossed(String id, String newId) {
        crossed.put(id, newId);
    }

    /** A message had crossed already. */
    void recognized(String id, String newId) {
        recognized++;
        crossed(id, newId);
    }

    /** A message does not cross. */
    void isDead() {
        dead++;
    }

    /** A request is to be found by its reply. */
    void request(Crossing request) {
        requests.add(request);
    }

    List<Crossing> requests() {
        return requests;
    }

    /**
     * What the side stores where messages go.
     *
     * @param known of which earlier messages it is not known whether the other side has let them go
     */
    Batch batch(long number, long confirmed, Map<String, String> known) {
        Map<String, String> open = new LinkedHashMap<>(known);
        open.keySet().removeAll(crossed.keySet());
        return new Batch(number, confirmed, crossed, open);
    }

    /** The id of the message that crosses, if it is a single one; otherwise null. */
    String onlyId() {
        return onlyId;
    }

    int crossing() {
        return crossing;
    }

    int recognized() {
        return recognized;
    }

    int dead() {
        return dead;
    }

    int all() {
        return crossing + recognized + dead;
    }
}
