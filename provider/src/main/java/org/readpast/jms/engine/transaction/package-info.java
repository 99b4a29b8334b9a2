/**
 * A session's transaction: what it claims, what was delivered of that, what it sends, and what each acknowledge mode makes of it.
 */
package org.readpast.jms.engine.transaction;
