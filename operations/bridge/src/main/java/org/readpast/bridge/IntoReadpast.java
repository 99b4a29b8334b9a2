package org.readpast.bridge;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * From the broker into Readpast. A batch is committed in the database first, together with the ids of its messages, and then at the broker,
 * together with the token. Until the token says that the broker has committed, the ids stay.
 */
final class IntoReadpast extends Link {

    private long row;

    IntoReadpast(Shared shared, Rule rule, boolean isForReplies) {
        super(shared, rule, isForReplies, "into");
    }

    @Override
    Session sourceSession() {
        return broker().session();
    }

    @Override
    Optional<Map<String, String>> settle(Batch token, Batch row) {
        return row.unsettled(token.number());
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
        Batch next = next(token, sorted);
        try {
            write(sorted, next);
            at(Step.WRITTEN);
            readpast().session().commit();
        } catch (JMSException e) {
            throw failed(sorted.crossing(), e);
        } catch (SQLException e) {
            throw failed(sorted.crossing(), e);
        }
        row = next.number();
        at(Step.ARRIVED);
        bury(sorted.dead(), broker().session(), broker().producer());
        broker().put(Batch.none(next.number()));
        at(Step.LETTING_GO);
        broker().session().commit();
        done(sorted);
        at(Step.LET_GO);
        return sorted.crossing().size()
                + sorted.recognized().size()
                + sorted.dead().size();
    }

    private Batch next(Batch token, Sorted sorted) throws JMSException {
        Map<String, String> crossed = new LinkedHashMap<>();
        for (Message message : sorted.crossing()) {
            if (Batch.isUsable(message.getJMSMessageID())) {
                crossed.put(message.getJMSMessageID(), "");
            }
        }
        sorted.recognized().keySet().forEach(id -> crossed.put(id, ""));
        Map<String, String> open = new LinkedHashMap<>(known());
        open.keySet().removeAll(crossed.keySet());
        return new Batch(Math.max(row, token.number()) + 1, token.number(), crossed, open);
    }

    private void write(Sorted sorted, Batch next) throws JMSException, SQLException {
        if (!readpast().step(name(), row, next)) {
            throw new JMSException("another bridge of this name has gone on with " + name());
        }
        for (Message message : sorted.crossing()) {
            Optional<Crossing> crossing = sending()
                    .send(message, readpast(), readpast().session(), readpast().producer());
            if (crossing.isPresent()) {
                readpast().addPair(shared().rules().name(), crossing.get());
            }
        }
    }
}
