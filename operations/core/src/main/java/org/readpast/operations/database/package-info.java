/**
 * Looks at one database: the files in {@code sql/DATABASE/operations}, run so that they hurt nobody, and their rows.
 */
package org.readpast.operations.database;
