package org.readpast.operations.snapshot;

import java.time.Instant;

/**
 * What an administrator did to messages, in one transaction.
 *
 * @param doneAt by the database's clock
 * @param login who called
 * @param claimedUser who it was for, as the caller said; null for nobody. Nobody has checked it
 * @param action move, retry, expire, purge, hold, release or restored
 * @param queue the queue or subscription; null for all of them
 * @param target where messages were moved; null with all other actions
 * @param messages how many
 */
public record Audit(
        Instant doneAt, String login, String claimedUser, String action, String queue, String target, long messages) {}
