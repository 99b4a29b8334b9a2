package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.readpast.jms.codec.Body;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.BrowsePage;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.row.Bodies;
import org.readpast.jms.store.jdbc.row.HeaderBounds;
import org.readpast.jms.store.jdbc.row.NewerMessages;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;

/** Claiming and browsing with and without a selector. Thread-safe. */
public final class Claims {

    private static final int FIRST_PAGE = 64;
    /** Keys are remembered of so many at the most, and of one page more. */
    private static final int MOST_SOUGHT = 16_384;

    private static final int LARGEST_PAGE = 1024;
    private static final long BROWSED_BYTES = 8L * 1024 * 1024;

    private final MessageTable table;
    private final Groups groups;
    private final Browses browses;
    private final Bodies bodies;
    private final NewerMessages newer;

    public Claims(MessageTable table, Groups groups, Bodies bodies, NewerMessages newer) {
        this.table = table;
        this.newer = newer;
        this.groups = groups;
        this.browses = new Browses(table);
        this.bodies = bodies;
    }

    /**
     * Locks the first messages that match, stepping over those that others hold.
     *
     * @param verifier is told the transaction's id, where the database tells it along
     */
    public List<StoredMessage> claim(Connection connection, ClaimRequest request, CommitVerifier verifier)
            throws SQLException, StoreException {
        if (!request.byGroups()) {
            return claimAny(connection, request, verifier);
        }
        if (!request.holder().isExclusive()) {
            return new GroupClaims(table, browses, bodies, newer, groups, connection, request, verifier).claim();
        }
        return groups.lockWhole(connection, request.holder(), request.destinationId())
                ? claimAny(connection, request, verifier)
                : List.of();
    }

    /** The same without regard to groups. */
    public List<StoredMessage> claimAny(Connection connection, ClaimRequest request, CommitVerifier verifier)
            throws SQLException {
        return request.selector() == null && request.held().isEmpty() && !newer.wereIn(request.destinationId())
                ? withoutNewer(connection, request, table.claim(connection, request, verifier), verifier)
                : claimMatching(connection, request, verifier);
    }

    /**
     * What was claimed by one statement, without what is left to newer clients, which stays locked until the transaction ends; where nothing is
     * left of it, what is behind that.
     */
    public List<StoredMessage> withoutNewer(
            Connection connection, ClaimRequest request, List<StoredMessage> claimed, CommitVerifier verifier)
            throws SQLException {
        List<StoredMessage> readable = new ArrayList<>(claimed.size());
        for (StoredMessage message : claimed) {
            if (!newer.has(connection, message)) {
                readable.add(message);
            }
        }
        return readable.isEmpty() && !claimed.isEmpty() ? claimMatching(connection, request, verifier) : readable;
    }

    /** Whether one statement claims from a queue, so that it can travel with others. */
    public boolean isOneStatement(ClaimRequest request) {
        return request.selector() == null && !request.byGroups() && !newer.wereIn(request.destinationId());
    }

    /**
     * Reads the queue without locking and without bodies, asks the selector, and locks what it matched. Where that lies behind the first page
     * it is locked by a second reading: an earlier message of its sender may have been committed when its page had been read, and whoever
     * reads once more finds that first. Where others hold all that was found, more is looked for.
     */
    private List<StoredMessage> claimMatching(Connection connection, ClaimRequest request, CommitVerifier verifier)
            throws SQLException {
        List<StoredMessage> claimed = new ArrayList<>();
        Set<MessageKey> tried = new HashSet<>(request.held());
        Set<MessageKey> found = new HashSet<>();
        int sought = request.max();
        while (true) {
            List<MessageKey> unseen = read(connection, request, verifier, claimed, tried, found, sought);
            boolean isEnough = claimed.size() == request.max() || (!claimed.isEmpty() && !found.isEmpty());
            if (isEnough || unseen.isEmpty()) {
                return claimed;
            }
            found.addAll(unseen);
            sought = Math.min(4 * sought, MOST_SOUGHT);
        }
    }

    /**
     * Reads the queue page by page from its head. What was locked is asked once more: the row may have changed before it was locked.
     *
     * @param claimed gets what is locked
     * @param tried what is not to be locked, or not again
     * @param found what was there before the reading began, and so has all that comes before it in front of it now
     * @param sought for how many to look at the most
     * @return what matches and may not be locked yet
     */
    private List<MessageKey> read(
            Connection connection,
            ClaimRequest request,
            CommitVerifier verifier,
            List<StoredMessage> claimed,
            Set<MessageKey> tried,
            Set<MessageKey> found,
            int sought)
            throws SQLException {
        Selector selector = request.selector();
        List<MessageKey> unseen = new ArrayList<>();
        MessageKey after = request.after();
        // What is held stands on the first page too.
        int page = Math.max(
                found.isEmpty() ? FIRST_PAGE : LARGEST_PAGE, request.held().size() + request.max());
        while (true) {
            List<StoredMessage> peeked = page(connection, request.destinationId(), after, page, selector, -1);
            boolean isFirst = Objects.equals(after, request.after());
            List<MessageKey> matching = new ArrayList<>();
            for (StoredMessage message : peeked) {
                if (!tried.contains(message.key()) && mayClaim(connection, selector, message)) {
                    boolean isNew = !isFirst && !found.contains(message.key());
                    (isNew || !unseen.isEmpty() ? unseen : matching).add(message.key());
                }
            }
            tried.addAll(matching);
            if (!matching.isEmpty()) {
                int left = request.max() - claimed.size();
                for (StoredMessage message : table.claimByKey(connection, matching, left, verifier)) {
                    if (mayClaim(connection, selector, message)) {
                        claimed.add(message);
                    }
                }
            }
            if (claimed.size() + unseen.size() >= sought || claimed.size() == request.max() || peeked.size() < page) {
                return unseen;
            }
            after = peeked.get(peeked.size() - 1).key();
            page = Math.max(page, Math.min(4 * page, LARGEST_PAGE));
        }
    }

    /** Whether a selector matches a message that is not left to newer clients. */
    private boolean mayClaim(Connection connection, Selector selector, StoredMessage message) throws SQLException {
        return !newer.has(connection, message) && bodies.match(connection, selector, message);
    }

    /** Reads what matches, without locking, until the page is full by number or by size. */
    public BrowsePage browse(Connection connection, int destinationId, MessageKey after, int max, Selector selector)
            throws SQLException {
        List<StoredMessage> found = new ArrayList<>();
        MessageKey last = after;
        long bytes = 0;
        int page = Math.min(max, FIRST_PAGE);
        while (true) {
            List<StoredMessage> rows = page(connection, destinationId, last, page, selector, table.maxInlineBody(page));
            for (StoredMessage row : rows) {
                last = row.key();
                StoredMessage whole = bodies.match(connection, selector, row) ? bodies.complete(connection, row) : null;
                if (whole != null) {
                    found.add(whole);
                    bytes += row.message().body() instanceof Body.Deferred large ? large.length() : 0;
                    bytes += row.lacksProperties()
                            ? whole.message().properties() == null
                                    ? 0
                                    : whole.message().properties().length()
                            : 0;
                }
                if (found.size() == max || bytes > BROWSED_BYTES) {
                    return new BrowsePage(List.copyOf(found), last);
                }
            }
            if (rows.size() < page) {
                return new BrowsePage(List.copyOf(found), null);
            }
        }
    }

    private List<StoredMessage> page(
            Connection connection, int destinationId, MessageKey after, int max, Selector selector, int maxBody)
            throws SQLException {
        return browses.messages(connection, destinationId, after, HeaderBounds.of(selector), max, maxBody);
    }
}
