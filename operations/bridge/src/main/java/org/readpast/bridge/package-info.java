/**
 * Moves messages between another JMS broker and Readpast, in both directions, while both are in use. {@link org.readpast.bridge.Bridge}
 * is where to begin.
 */
package org.readpast.bridge;
