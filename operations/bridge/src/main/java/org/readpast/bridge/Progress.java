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

    Progress(String rule) {
        this.rule = rule;
    }

    synchronized void is(LinkStatus.State now) {
        state = now;
    }

    synchronized void failed(String reason) {
        failures++;
        lastFailure = reason;
    }

    synchronized void waits(String reason) {
        lastFailure = reason;
    }

    synchronized void done(int crossing, int again, int dead) {
        crossed += crossing;
        recognized += again;
        deadLetters += dead;
    }

    synchronized LinkStatus status() {
        return new LinkStatus(rule, state, crossed, recognized, deadLetters, failures, lastFailure);
    }
}
