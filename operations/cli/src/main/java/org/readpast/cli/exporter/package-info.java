/** The exporter: what Prometheus and JMX see of the databases. */
package org.readpast.cli.exporter;
