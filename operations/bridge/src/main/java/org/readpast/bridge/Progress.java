package org.readpast.bridge;

/** What a link has done so far. Thread-safe. */
final class Progress {

    private final String rule;
    private LinkStatus.State state = LinkStatus.State.CONNECTING;
    private long crossed;
    private long recognized;
    private long deadLetters;
    private long failures;
    private String lastFailure;

    /** Null if it waits for nothing that is worth telling. */
    private String waitsFor;

    Progress(String rule) {
        this.rule = rule;
    }

    synchronized void is(LinkStatus.State now) {
        state = now;
        if (now != LinkStatus.State.WAITING_FOR_TOKEN) {
            waitsFor = null;
        }
    }

    synchronized void failed(String reason) {
        failures++;
        lastFailure = reason;
    }

    /** Is told instead of the last failure, until the link does something else than to wait for its token. */
    synchronized void waits(String reason) {
        waitsFor = reason;
    }

    synchronized void done(int crossing, int again, int dead) {
        crossed += crossing;
        recognized += again;
        deadLetters += dead;
    }

    synchronized LinkStatus status() {
        return new LinkStatus(
                rule, state, crossed, recognized, deadLetters, failures, waitsFor == null ? lastFailure : waitsFor);
    }
}
