package org.readpast.bridge;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * From Readpast to the broker. A batch is committed at the broker first, together with the token, which holds the ids of its messages, and
 * then in the database, which lets them go and notes that it has.
 */
final class OutOfReadpast extends Link {

    private long row;

    OutOfReadpast(Shared shared, Rule rule, boolean isForReplies) {
        super(shared, rule, isForReplies, "out");
    }

    @Override
    Session sourceSession() {
        return readpast().session();
    }

    @Override
    Optional<Map<String, String>> settle(Batch token, Batch row) {
        return token.unsettled(row.number());
    }

    @Override
    void start(Batch token, Batch row) {
        this.row = row.number();
    }

    @Override
    int cross(int most) throws JMSException, SQLException {
        Message first = first();
        if (first == null) {
            return 0;
        }
        Batch token = token();
        Sorted sorted = sort(first, most);
        at(Step.RECEIVED);
        List<Crossing> requests = new ArrayList<>();
        Batch next;
        try {
            next = write(sorted, token, requests);
            at(Step.WRITTEN);
            broker().session().commit();
        } catch (JMSException e) {
            throw failed(sorted.crossing(), e);
        } catch (SQLException e) {
            throw failed(sorted.crossing(), e);
        }
        at(Step.ARRIVED);
        letGo(sorted, next, requests);
        at(Step.LETTING_GO);
        readpast().session().commit();
        row = next.number();
        done(sorted);
        at(Step.LET_GO);
        return sorted.crossing().size()
                + sorted.recognized().size()
                + sorted.dead().size();
    }

    private Batch write(Sorted sorted, Batch token, List<Crossing> requests) throws JMSException, SQLException {
        Map<String, String> crossed = new LinkedHashMap<>();
        for (Message message : sorted.crossing()) {
            Optional<Crossing> crossing = sending().send(message, readpast(), broker().session(), broker().producer());
            if (Batch.isUsable(message.getJMSMessageID())) {
                crossed.put(
                        message.getJMSMessageID(), crossing.map(Crossing::newId).orElse(""));
            }
            crossing.ifPresent(requests::add);
        }
        sorted.recognized().keySet().forEach(id -> crossed.put(id, known().get(id)));
        Map<String, String> open = new LinkedHashMap<>(known());
        open.keySet().removeAll(crossed.keySet());
        Batch next = new Batch(Math.max(row, token.number()) + 1, row, crossed, open);
        broker().put(next);
        return next;
    }

    private void letGo(Sorted sorted, Batch next, List<Crossing> requests) throws JMSException, SQLException {
        if (!readpast().step(name(), row, Batch.none(next.number()))) {
            throw new JMSException("another bridge of this name has gone on with " + name());
        }
        for (Crossing request : requests) {
            readpast().addPair(shared().rules().name(), request);
        }
        for (Map.Entry<String, Message> message : sorted.recognized().entrySet()) {
            String newId = known().get(message.getKey());
            if (!newId.isEmpty()) {
                readpast().addPair(shared().rules().name(), sending().crossing(message.getValue(), newId));
            }
        }
        bury(sorted.dead(), readpast().session(), readpast().producer());
    }
}
