/** Who is signed in to the database, by which connections, and the jobs that work for him. */
package org.readpast.console.session;
