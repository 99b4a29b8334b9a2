/**
 * What a database server says of its sessions, locks, log and settings, as plain records.
 */
package org.readpast.operations.server;
