/** What users name in code, and the only place that wires the provider's parts together. */
package org.readpast.jms;
