/**
 * The {@code jakarta.jms} surface: arguments and legality are checked here, and then one call goes into the engine. May import
 * {@code engine}, {@code message}, {@code selector}, {@code errors} and the leaves.
 */
package org.readpast.jms.jms;
