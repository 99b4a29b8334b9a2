/** Message selectors (§3.8): lexer, parser, an expression tree that evaluates itself. Imports nothing of ours. */
package org.readpast.jms.selector;
