/** Where the provider's threads are born, and what they take with them from whoever has them started. Imports nothing of ours. */
package org.readpast.jms.threads;
