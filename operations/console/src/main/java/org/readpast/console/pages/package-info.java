/** The pages, and what their forms do. The templates are compiled into this package. */
package org.readpast.console.pages;
