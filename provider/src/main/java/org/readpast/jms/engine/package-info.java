/**
 * Life cycle, delivery, acknowledgement, the session's transaction, arrivals and housekeeping. Knows nothing of
 * {@code jakarta.jms.Message}; may import {@code store}, {@code selector}, {@code errors}, and the leaves.
 */
package org.readpast.jms.engine;
