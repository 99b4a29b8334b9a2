package org.readpast.console.view;

/**
 * What each page has around its content.
 *
 * @param title what it is about
 * @param here the path of its entry in the navigation
 * @param login who is signed in; null for nobody
 * @param csrf what his forms have to bring
 * @param liveSeconds after which it is fetched anew; 0 for never
 */
public record Page(String title, String here, String login, String csrf, int liveSeconds) {}
