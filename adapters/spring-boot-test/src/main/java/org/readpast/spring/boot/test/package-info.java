/** Tests of applications in Spring Boot 3.5 and 4 whose messages are in Readpast. */
package org.readpast.spring.boot.test;
