/**
 * Messages that are implemented neither by Readpast nor by the reference: what a client gets when it hands a message of
 * one provider to another (§3.12). They are plain holders of values, without the checks of a provider.
 */
package org.readpast.jms.tck.messages.foreign;
