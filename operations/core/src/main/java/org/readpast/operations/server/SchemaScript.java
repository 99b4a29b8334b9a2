package org.readpast.operations.server;

import java.time.Instant;

/**
 * A script of the schema that was run.
 *
 * @param version its number
 * @param script its file
 * @param appliedAt when
 */
public record SchemaScript(int version, String script, Instant appliedAt) {}
