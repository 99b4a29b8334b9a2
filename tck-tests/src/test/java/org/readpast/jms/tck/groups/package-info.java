/** Message groups and exclusive queues: one consumer at a time, wherever it is. */
package org.readpast.jms.tck.groups;
