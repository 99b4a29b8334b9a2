/** What the starters for Spring Boot's lines have in common: nothing here names a class that has another package in one of them. */
package org.readpast.spring.boot;
