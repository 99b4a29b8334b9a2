/**
 * The way in through JNDI: an initial context that a properties file describes, and the object factory that turns references and
 * resource declarations into connection factories and destinations. May import the root package, {@code config} and
 * {@code destination}.
 */
package org.readpast.jms.jndi;
