/** Readpast in Spring Boot 3.5. */
package org.readpast.spring.boot3;
