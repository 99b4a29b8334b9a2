package org.readpast.console;
