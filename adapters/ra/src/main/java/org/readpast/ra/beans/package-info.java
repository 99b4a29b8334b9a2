/** Message-driven beans at work: their workers, their failures and outages, and what JMX shows of them. */
package org.readpast.ra.beans;
