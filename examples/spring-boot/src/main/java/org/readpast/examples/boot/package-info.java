/** A shop in Spring Boot, whose orders, invoices and shipments are rows and messages of one database. */
package org.readpast.examples.boot;
