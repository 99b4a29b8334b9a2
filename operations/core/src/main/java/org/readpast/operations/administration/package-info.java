/**
 * Queues and schema: creating, pausing, dropping and moving queues, ending sessions, checking versions.
 */
package org.readpast.operations.administration;
