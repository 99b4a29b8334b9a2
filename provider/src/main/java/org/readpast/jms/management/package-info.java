/** What JMX shows of a JVM that uses Readpast. */
package org.readpast.jms.management;
