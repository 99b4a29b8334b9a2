package org.readpast.bridge;

import jakarta.jms.JMSException;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.readpast.bridge.batch.Batch;
import org.readpast.bridge.batch.SidesApart;
import org.readpast.bridge.ends.BrokerEnd;
import org.readpast.bridge.ends.ReadpastEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a link begins on new connections: it waits for the token, finds out how the last batch has ended, and brings both sides to where they
 * agree.
 *
 * @param isAfterRestore whether it goes on where the two sides do not belong together, or the token is not there
 */
record Recovery(Link link, ReadpastEnd readpast, BrokerEnd broker, Progress progress, boolean isAfterRestore) {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long LOOK_MILLIS = 1_000;
    private static final int LOOKS = 10;

    /**
     * Begins with a batch of no messages, first in the database. Whoever had the token before and is still at work cannot commit there then, and
     * does not go on with a token of another number than its own.
     *
     * @return that batch, whose open messages are those that have crossed and may come again; empty if the link is to stop
     * @throws SidesApart if somebody has to look
     */
    Optional<Batch> begin() throws JMSException, SQLException {
        if (row().number() < 0) {
            makeToken();
        }
        Batch token = takeToken();
        if (token == null) {
            return Optional.empty();
        }
        // Only now: another bridge may have gone on while this one waited.
        Batch row = row();
        Batch empty =
                new Batch(Math.max(token.number(), row.number()) + 1, token.number(), Set.of(), unsettled(token, row));
        if (!readpast.step(link.name(), row.number(), empty)) {
            throw link.hasGoneOn();
        }
        readpast.session().commit();
        broker.put(empty);
        broker.session().commit();
        return Optional.of(empty);
    }

    private Set<String> unsettled(Batch token, Batch row) throws JMSException {
        Optional<Set<String>> unsettled = link.settle(token, row);
        if (unsettled.isEmpty() && !isAfterRestore) {
            // As a new message: it has not been delivered in vain then, however often the link is started.
            broker.put(token);
            broker.session().commit();
            throw new SidesApart("the broker is at batch " + token.number() + " of this link and the database at batch "
                    + row.number()
                    + ", so one of the two was restored from a backup, or is not the one that it was. Messages may be"
                    + " lost or come twice if it goes on; tell it to, if that is so");
        }
        return unsettled.orElseGet(() -> {
            Set<String> all = new LinkedHashSet<>(token.all());
            all.addAll(row.all());
            return all;
        });
    }

    /** As it stands in the database, where it can still be written. */
    private Batch row() throws JMSException, SQLException {
        Optional<Batch> found = readpast.find(link.name());
        if (found.isEmpty()) {
            readpast.add(link.name());
            readpast.session().commit();
            return row();
        }
        if (found.get().number() >= 0 && !readpast.step(link.name(), found.get().number(), found.get())) {
            throw new JMSException("another bridge of this name works on " + link.name());
        }
        readpast.session().commit();
        return found.get();
    }

    /** With the row locked, so that only one bridge makes it. */
    private void makeToken() throws JMSException, SQLException {
        if (readpast.step(link.name(), -1, Batch.none(0)) && !broker.hasToken()) {
            broker.put(Batch.none(0));
            broker.session().commit();
        }
        readpast.session().commit();
    }

    /**
     * Waits for the token. While another bridge moves messages this one does not ask for it: a broker may give it to all who do in turn.
     *
     * @return null if the link is to stop
     */
    private Batch takeToken() throws JMSException, SQLException {
        long row = rowNumber();
        int looks = 0;
        boolean isSaid = false;
        while (!link.isStopping()) {
            Batch token = broker.take(LOOK_MILLIS);
            if (token != null) {
                return latest(token);
            }
            broker.leaveToken();
            broker.check();
            progress.is(LinkStatus.State.WAITING_FOR_TOKEN);
            looks++;
            if (looks >= LOOKS && !isSaid && !broker.hasToken()) {
                if (isAfterRestore) {
                    return Batch.none(0);
                }
                sayThatItIsMissing();
                isSaid = true;
            }
            long before;
            do {
                before = row;
                link.rest(2 * LOOK_MILLIS);
                row = rowNumber();
                looks = row == before ? looks : 0;
            } while (row != before && !link.isStopping());
        }
        return null;
    }

    private void sayThatItIsMissing() {
        String reason = "no token seen in " + link.tokenQueue()
                + ": another bridge of this name may have it, or the broker has lost it, as by a restore to before the first"
                + " start; if that is so, tell it to go on";
        progress.waits(reason);
        LOG.warn("{} waits: {}", link.name(), reason);
    }

    /** Of any further tokens, which a first start that failed may have left. */
    private Batch latest(Batch token) throws JMSException {
        Batch latest = token;
        for (Batch another = broker.takeAnother(); another != null; another = broker.takeAnother()) {
            latest = another.number() > latest.number() ? another : latest;
        }
        return latest;
    }

    private long rowNumber() throws JMSException, SQLException {
        long number = readpast.find(link.name()).orElseThrow().number();
        readpast.session().rollback();
        return number;
    }
}
