package org.readpast.jms.store.memory;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.GroupHolder.Group;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;

/**
 * A claim for a consumer of groups: messages of groups that it has, or can take, in the order of the queue. Whoever works with messages
 * of a group holds the lock of its row. Guarded by the database's monitor.
 */
final class GroupClaim {

    private final MemoryDatabase database;
    private final MemoryMessages messages;
    private final Unit unit;
    private final ClaimRequest request;
    private final GroupHolder holder;
    private final List<StoredMessage> claimed = new ArrayList<>();

    /** Groups of others, and those of which an earlier message is locked. */
    private final Set<Group> leftAlone = new HashSet<>();

    private boolean hasTaken;

    GroupClaim(MemoryDatabase database, MemoryMessages messages, Unit unit, ClaimRequest request) {
        this.database = database;
        this.messages = messages;
        this.unit = unit;
        this.request = request;
        this.holder = request.holder();
    }

    List<StoredMessage> claim() {
        if (holder.isExclusive()) {
            Group whole = new Group(request.destinationId(), GroupHolder.WHOLE_QUEUE);
            boolean isTaken = isMine(whole) || (isFree(whole) && take(whole));
            return isTaken ? claimAny(whole) : List.of();
        }
        for (MessageKey key : messages.available(unit, request)) {
            if (claimed.size() == request.max()) {
                break;
            }
            Group group = group(key);
            if (request.held().contains(key) || leftAlone.contains(group)) {
                continue;
            }
            // One for each claim: others shall have some too. But nothing overtakes a group that could be taken.
            if (group != null && isFree(group) && hasTaken && !claimed.isEmpty()) {
                break;
            }
            add(key, group);
        }
        return claimed;
    }

    private List<StoredMessage> claimAny(Group whole) {
        return database.groups.lock(unit, whole) ? messages.claim(unit, request) : List.of();
    }

    private void add(MessageKey key, Group group) {
        if (group != null && !isMine(group) && !(isFree(group) && take(group))) {
            leftAlone.add(group);
        } else if ((group == null || lock(group)) && database.messages.lock(unit, key)) {
            claimed.add(messages.claimed(unit, key));
        } else if (group != null) {
            leftAlone.add(group);
        }
    }

    private Group group(MessageKey key) {
        String id = database.messages.get(unit, key).message().groupId();
        return id == null ? null : new Group(key.destinationId(), id);
    }

    private boolean isMine(Group group) {
        MemoryDatabase.Owner owner = database.groups.get(unit, group);
        return owner != null && owner.consumer().equals(holder.consumer());
    }

    private boolean isFree(Group group) {
        return database.groups.get(unit, group) == null;
    }

    /** In a unit of work of its own: it is kept whatever becomes of the claim. */
    private boolean take(Group group) {
        database.run(own -> {
            database.groups.put(own, group, new MemoryDatabase.Owner(holder.consumer(), holder.instance()));
            return null;
        });
        holder.uses(group.destinationId(), group.id());
        hasTaken = true;
        return true;
    }

    private boolean lock(Group group) {
        holder.uses(group.destinationId(), group.id());
        return database.groups.lock(unit, group);
    }
}
