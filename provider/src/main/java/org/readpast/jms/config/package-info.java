/**
 * What a user can set: the options, their validation, and the URLs they come in. Imports nothing of ours, so that every other
 * package may hold a {@link org.readpast.jms.config.Settings}.
 */
package org.readpast.jms.config;
