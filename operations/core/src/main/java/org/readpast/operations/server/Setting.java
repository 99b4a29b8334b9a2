package org.readpast.operations.server;

/**
 * A setting of the database or of its tables that harms messages or their consumers.
 *
 * @param name what it is about: {@code fsync}
 * @param words what it does, and what to do about it
 */
public record Setting(String name, String words) {}
