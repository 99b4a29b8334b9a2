/** The facilities for application servers (chapter 11): contract cases, with a pool as an application server would have. */
package org.readpast.jms.tck.appserver;
