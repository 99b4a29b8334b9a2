/** Where messages come from and go to: destinations, subscriptions, temporary ones, groups, and what keeps them up. */
package org.readpast.jms.engine.source;
