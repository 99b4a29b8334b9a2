package org.readpast.spring.boot.actuate;

import java.util.Map;

/**
 * What a look at the application's health found, for the class that the line of Spring Boot has for it.
 *
 * @param problem null if there is none
 * @param details by their names
 */
public record Finding(Exception problem, boolean up, Map<String, Object> details) {}
