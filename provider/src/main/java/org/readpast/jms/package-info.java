/** The connection factory, with which an application begins. */
package org.readpast.jms;
