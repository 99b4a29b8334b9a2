/** What sessions and consumers can do beyond Jakarta Messaging. Applications cast to these interfaces. */
package org.readpast.jms.session;
