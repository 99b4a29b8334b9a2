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
     * Reads the queue page by page without locking and without bodies, asks the selector, and locks what it matched. What was
     * locked is asked once more: the row may have changed before it was locked. What is found behind the first page is locked when it
     * has been found twice, with nothing new before it: an earlier message of its sender may have been committed when its page had
     * been read.
     */
    private List<StoredMessage> claimMatching(Connection connection, ClaimRequest request, CommitVerifier verifier)
            throws SQLException {
        Selector selector = request.selector();
        List<StoredMessage> claimed = new ArrayList<>();
        Set<MessageKey> tried = new HashSet<>(request.held());
        List<MessageKey> found = List.of();
        MessageKey after = request.after();
        // With what is held on one page: of what is committed between two pages a later message could be claimed before
        // an earlier one.
        int page = Math.max(FIRST_PAGE, request.held().size() + request.max());
        while (true) {
            List<StoredMessage> peeked = page(connection, request.destinationId(), after, page, selector, -1);
            List<MessageKey> matching = new ArrayList<>();
            for (StoredMessage message : peeked) {
                if (!tried.contains(message.key()) && mayClaim(connection, selector, message)) {
                    matching.add(message.key());
                }
            }
            if (!matching.isEmpty() && !Objects.equals(after, request.after())) {
                List<MessageKey> again =
                        matching.stream().takeWhile(found::contains).toList();
                if (again.isEmpty()) {
                    found = matching;
                    after = request.after();
                    page = Math.max(page, Math.min(4 * page, LARGEST_PAGE));
                    continue;
                }
                matching = again;
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
            if (claimed.size() == request.max() || peeked.size() < page) {
                return claimed;
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
