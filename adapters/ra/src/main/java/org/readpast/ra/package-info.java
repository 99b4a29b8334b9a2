/** The resource adapter (Jakarta Connectors 2.1): what an application server configures, in the words of its {@code ra.xml}. */
package org.readpast.ra;
