/** Readpast in Spring Boot 4. */
package org.readpast.spring.boot4;
