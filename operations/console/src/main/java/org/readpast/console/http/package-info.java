/** Requests and answers, whatever server takes them: Jetty or a servlet container. */
package org.readpast.console.http;
