/** What Spring Boot's Actuator and Micrometer show of the messages; all of it is optional. Imports of ours: the starters' common part. */
package org.readpast.spring.boot.actuate;
