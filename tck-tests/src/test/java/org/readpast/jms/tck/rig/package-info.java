/** What the tests of crashes, failures and several processes stand on: servers, child JVMs, a breakable network, counters. */
package org.readpast.jms.tck.rig;
