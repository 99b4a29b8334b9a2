package org.readpast.jms.store.jdbc.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.row.Bodies;
import org.readpast.jms.store.jdbc.row.NewerMessages;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;

/**
 * One claim by groups. The queue is read without locks, and without the messages of groups that others have. A group that nobody
 * has is taken in a short transaction of its own. Then, in the transaction of the claim, the groups are locked and after them
 * their messages. A group whose row somebody has locked is left alone: a transaction, perhaps of a consumer that is closed or
 * dead by now, has still messages of it. So is one with an earlier message that could not be locked. What is wanted behind the first page
 * is locked when it has been found twice, with nothing new before it: an earlier message of its sender may have been committed when its page
 * had been read. Not thread-safe.
 */
final class GroupClaims {

    private static final int SMALLEST_PAGE = 16;
    private static final int FIRST_MATCHING_PAGE = 64;
    private static final int LARGEST_PAGE = 1024;

    private final MessageTable table;
    private final Browses browses;
    private final Bodies bodies;
    private final NewerMessages newer;
    private final Groups groups;
    private final Connection connection;
    private final ClaimRequest request;
    private final CommitVerifier verifier;
    private final GroupHolder holder;
    private final Selector selector;
    private final List<StoredMessage> claimed = new ArrayList<>();
    private final Set<MessageKey> claimedKeys = new HashSet<>();
    private final Set<String> locked = new HashSet<>();
    private final Set<String> leftAlone = new HashSet<>();

    /** What stood on those pages behind the first one where the reading began again for something that had not been found before. */
    private final Set<MessageKey> found = new HashSet<>();

    /** What is about to be locked, in order. */
    private final List<Candidate> wanted = new ArrayList<>();

    /** How many to read in one statement: so many, when the reading begins again, that all that had been read is on the first page. */
    private int page;

    /** How many to lock in one statement: more where others have locked what was tried before. */
    private int batch;

    /** Whether this claim has taken a group. */
    private boolean hasTaken;

    GroupClaims(
            MessageTable table,
            Browses browses,
            Bodies bodies,
            NewerMessages newer,
            Groups groups,
            Connection connection,
            ClaimRequest request,
            CommitVerifier verifier) {
        this.table = table;
        this.browses = browses;
        this.bodies = bodies;
        this.newer = newer;
        this.groups = groups;
        this.connection = connection;
        this.request = request;
        this.verifier = verifier;
        this.holder = request.holder();
        this.selector = request.selector();
        this.page = request.held().size()
                + (selector == null ? Math.max(SMALLEST_PAGE, 2 * request.max()) : FIRST_MATCHING_PAGE);
        this.batch = request.max();
    }

    List<StoredMessage> claim() throws SQLException, StoreException {
        Course course = Course.AGAIN;
        while (course == Course.AGAIN) {
            course = scan();
        }
        return claimed;
    }

    /** How a claim goes on. */
    private enum Course {
        ON,
        AGAIN,
        DONE
    }

    private Course scan() throws SQLException, StoreException {
        MessageKey after = null;
        while (true) {
            List<Candidate> candidates = browses.candidates(connection, request, after, page);
            Course course = add(candidates, after == null);
            if (course != Course.ON) {
                return course;
            }
            lockWanted();
            if (isFull() || candidates.size() < page) {
                return Course.DONE;
            }
            after = candidates.get(candidates.size() - 1).key();
            enlargePage();
        }
    }

    private void enlargePage() {
        page = Math.max(page, Math.min(4 * page, LARGEST_PAGE));
    }

    private Course add(List<Candidate> candidates, boolean isFirst) throws SQLException, StoreException {
        for (Candidate candidate : candidates) {
            if (!isWanted(candidate)) {
                continue;
            }
            if (!isFirst && !found.contains(candidate.key())) {
                lockWanted();
                if (!claimed.isEmpty()) {
                    return Course.DONE;
                }
                candidates.forEach(each -> found.add(each.key()));
                enlargePage();
                return Course.AGAIN;
            }
            Course course = add(candidate);
            if (course != Course.ON) {
                return course;
            }
        }
        return Course.ON;
    }

    private boolean isWanted(Candidate candidate) throws SQLException {
        MessageKey key = candidate.message().key();
        return !request.held().contains(key)
                && !claimedKeys.contains(key)
                && !leftAlone.contains(candidate.group())
                && mayClaim(candidate.message());
    }

    private Course add(Candidate candidate) throws SQLException, StoreException {
        if (candidate.group() != null && !candidate.owned()) {
            return addGroup(candidate.group());
        }
        wanted.add(candidate);
        if (wanted.size() < batch) {
            return Course.ON;
        }
        lockWanted();
        return isFull() ? Course.DONE : Course.ON;
    }

    /**
     * Takes a group that nobody has. One for each claim: others shall have some too. But what lies behind a group that could be
     * taken must not overtake it, so there the claim ends. Once a group is taken the queue is read again from its head: while
     * it was read somebody may have had the group, given it up, and left messages that were stepped over.
     */
    private Course addGroup(String group) throws SQLException, StoreException {
        lockWanted();
        if (isFull() || (hasTaken && !claimed.isEmpty())) {
            return Course.DONE;
        }
        if (!groups.take(holder, request.destinationId(), group)) {
            leftAlone.add(group);
            return Course.ON;
        }
        hasTaken = true;
        return Course.AGAIN;
    }

    private boolean isFull() {
        return claimed.size() == request.max();
    }

    /** Locks what is wanted, as much as may still be claimed. */
    private void lockWanted() throws SQLException {
        while (!wanted.isEmpty() && !isFull()) {
            lockGroups();
            wanted.removeIf(candidate -> leftAlone.contains(candidate.group()));
            if (!wanted.isEmpty()) {
                lockMessages();
            }
        }
        wanted.clear();
        batch = Math.min(4 * batch, LARGEST_PAGE);
    }

    /** Locks the first that are free, and leaves in what is wanted only what lies behind those and was not tried. */
    private void lockMessages() throws SQLException {
        int most = request.max() - claimed.size();
        TreeMap<MessageKey, StoredMessage> free = new TreeMap<>();
        for (StoredMessage message :
                table.claimByKey(connection, wanted.stream().map(Candidate::key).toList(), most, verifier)) {
            free.put(message.key(), message);
        }
        MessageKey lastTried =
                free.size() < most ? wanted.get(wanted.size() - 1).key() : free.lastKey();
        while (!wanted.isEmpty() && wanted.get(0).key().compareTo(lastTried) <= 0) {
            Candidate candidate = wanted.remove(0);
            keep(candidate.group(), free.get(candidate.key()));
        }
    }

    /** Keeps a message that was locked, unless an earlier one of its group was not; null is one that was not. */
    private void keep(String group, StoredMessage message) throws SQLException {
        if (group != null && message == null) {
            leftAlone.add(group);
        } else if (message != null && !leftAlone.contains(group) && mayClaim(message)) {
            claimed.add(message);
            claimedKeys.add(message.key());
        }
    }

    private void lockGroups() throws SQLException {
        Set<String> needed = new LinkedHashSet<>();
        for (Candidate candidate : wanted) {
            String group = candidate.group();
            if (group != null && !locked.contains(group)) {
                needed.add(group);
            }
        }
        if (needed.isEmpty()) {
            return;
        }
        Set<String> got = groups.lock(connection, holder, request.destinationId(), needed);
        locked.addAll(got);
        needed.removeAll(got);
        leftAlone.addAll(needed);
    }

    /** Whether the selector matches a message that is not left to newer clients. */
    private boolean mayClaim(StoredMessage message) throws SQLException {
        return !newer.has(connection, message) && bodies.match(connection, selector, message);
    }
}
