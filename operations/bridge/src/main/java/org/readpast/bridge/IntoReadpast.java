package org.readpast.bridge;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.readpast.bridge.batch.Batch;
import org.readpast.bridge.batch.Received;
import org.readpast.bridge.batch.Step;
import org.readpast.bridge.ends.End;

/**
 * From the broker into Readpast. A batch is committed in the database first, together with the ids of its messages, and then at the broker,
 * together with the token. Until the token says that the broker has committed, the ids stay.
 */
final class IntoReadpast extends Link {

    IntoReadpast(Shared shared, Rule rule, boolean isForReplies) {
        super(shared, rule, isForReplies, "into");
    }

    @Override
    End source() {
        return broker();
    }

    @Override
    End target() {
        return readpast();
    }

    @Override
    Optional<Set<String>> settle(Batch token, Batch row) {
        return row.unsettled(token.number());
    }

    @Override
    int cross(int most) throws JMSException, SQLException {
        Message first = first();
        if (first == null) {
            return 0;
        }
        token();
        at(Step.RECEIVED);
        Received received = carry(first, most);
        Batch next = received.batch(number(), known());
        boolean isMine;
        try {
            readpast().addPairs(bridge(), received.requests());
            isMine = readpast().step(name(), number(), next);
            if (isMine) {
                at(Step.WRITTEN);
                readpast().session().commit();
            }
        } catch (JMSException e) {
            throw failed(received, e);
        } catch (SQLException e) {
            throw failed(received, e);
        }
        if (!isMine) {
            throw hasGoneOn();
        }
        at(Step.ARRIVED);
        broker().put(Batch.none(next.number()));
        at(Step.LETTING_GO);
        broker().session().commit();
        isAt(next);
        done(received);
        at(Step.LET_GO);
        return received.all();
    }
}
