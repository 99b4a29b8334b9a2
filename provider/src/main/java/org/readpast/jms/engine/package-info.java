/**
 * Connections and connection consumers, and the runtime of each database that connections share. Below it: {@code session}, {@code transaction},
 * {@code runtime}, {@code source}, {@code bell}, {@code arrival} and {@code support}, each of which may import those behind it only. Knows nothing of
 * {@code jakarta.jms.Message}; may import {@code store}, {@code selector}, {@code errors}, and the leaves.
 */
package org.readpast.jms.engine;
