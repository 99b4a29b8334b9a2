/** Commands that show what is there and what is wrong. */
package org.readpast.cli.looks;
