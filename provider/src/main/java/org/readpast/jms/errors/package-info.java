/**
 * From the store's trouble to the exceptions of {@code jakarta.jms}, and from the checked ones to the unchecked ones of the
 * simplified API. May import {@code store} and {@code codec}.
 */
package org.readpast.jms.errors;
