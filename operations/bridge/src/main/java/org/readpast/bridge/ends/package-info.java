/** The two ends of a link: a transacted session at the broker and one of Readpast, with what the bridge stores at each. */
package org.readpast.bridge.ends;
