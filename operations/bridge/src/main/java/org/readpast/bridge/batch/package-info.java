/** What crosses in one transaction: the batch as both sides store it, what became of its messages, and their copies. */
package org.readpast.bridge.batch;
