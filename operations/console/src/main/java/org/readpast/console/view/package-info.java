/** How pages say things: texts, tables, bodies, lines that are drawn, and addresses. */
package org.readpast.console.view;
