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
 * From Readpast to the broker. A batch is committed at the broker first, together with the token, which holds the ids of its messages, and
 * then in the database, which lets them go and notes that it has.
 */
final class OutOfReadpast extends Link {

    OutOfReadpast(Shared shared, Rule rule, boolean isForReplies) {
        super(shared, rule, isForReplies, "out");
    }

    @Override
    End source() {
        return readpast();
    }

    @Override
    End target() {
        return broker();
    }

    @Override
    Optional<Set<String>> settle(Batch token, Batch row) {
        return token.unsettled(row.number()).or(() -> row.unsettled(token.number()));
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
        try {
            broker().put(next);
            at(Step.WRITTEN);
            // A reply may come as soon as the broker gives the request out.
            readpast().addPairsAhead(bridge(), received.requests());
            broker().session().commit();
        } catch (JMSException e) {
            throw failed(received, e);
        } catch (SQLException e) {
            throw failed(received, e);
        }
        at(Step.ARRIVED);
        if (!readpast().step(name(), number(), Batch.none(next.number()))) {
            throw hasGoneOn();
        }
        at(Step.LETTING_GO);
        readpast().session().commit();
        isAt(next);
        done(received);
        at(Step.LET_GO);
        return received.all();
    }
}
