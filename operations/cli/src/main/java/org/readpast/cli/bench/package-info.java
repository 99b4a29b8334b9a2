/** The benchmark on the reader's own database. */
package org.readpast.cli.bench;
