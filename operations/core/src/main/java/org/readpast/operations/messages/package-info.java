/**
 * Finds messages by conditions and keys, shows them, and repairs: moves, copies, retries, holds and deletes them.
 */
package org.readpast.operations.messages;
