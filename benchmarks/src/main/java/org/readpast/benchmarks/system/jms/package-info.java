/** Systems that are used through the interfaces of Jakarta Messaging, with the settings that make them comparable. */
package org.readpast.benchmarks.system.jms;
