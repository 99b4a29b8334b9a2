/**
 * Message selectors (§3.8): lexer, parser, an expression tree that evaluates itself. Imports nothing of ours.
 *
 * <p>Where §3.8.1 leaves room, or where providers differ:
 *
 * <ul>
 *   <li>A comparison of unlike types is <em>false</em>, not unknown, and so under {@code <>} as well; NOT makes it true.
 *       Wherever NULL takes part it is unknown.
 *   <li>BETWEEN and NOT BETWEEN are the comparisons that the specification writes out for them, so both are false of a value that is
 *       no number. The identifier of IN, NOT IN, LIKE and NOT LIKE has a String value by its words, so of any other value they are
 *       unknown.
 *   <li>Arithmetic on what is no number is NULL. So is an integer division by zero, and what leaves the range of a long: no
 *       value rather than a wrong one. Byte, short and int are reckoned as long.
 *   <li>A condition that is no boolean, such as a String property on its own, is unknown. So is what is compared with a
 *       value that no property can have.
 *   <li>Types are checked when a selector is parsed as far as its literals and operators show them; see {@code Parser}.
 *   <li>A {@code _} of LIKE, and an escape character, is one Unicode code point. The escape character may stand before any
 *       character, and not at the end.
 *   <li>Exact literals are longs, with or without L, in every notation of a Java integer.
 * </ul>
 */
package org.readpast.jms.selector;
