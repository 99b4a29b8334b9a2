/** What all commands have in common: the database they are run on, their output, questions, failures and exit codes. */
package org.readpast.cli.terminal;
