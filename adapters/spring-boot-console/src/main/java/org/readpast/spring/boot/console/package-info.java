/** The console within an application of Spring Boot. */
package org.readpast.spring.boot.console;
