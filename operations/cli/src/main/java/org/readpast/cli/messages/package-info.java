/** Commands that send, receive, show, export and repair messages. */
package org.readpast.cli.messages;
