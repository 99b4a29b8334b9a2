/** What sessions can do beyond JMS, for applications that name it in code. */
package org.readpast.jms.session;
