/** Readpast in applications of Spring's, 6.2 and later: what Spring's own classes do not do. */
package org.readpast.spring;
