/** Messages that are sent twice. */
package org.readpast.jms.tck.duplicates;
