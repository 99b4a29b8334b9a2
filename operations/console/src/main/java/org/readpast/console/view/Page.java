package org.readpast.console.view;

import java.util.UUID;

/**
 * What each page has around its content.
 *
 * @param title what it is about
 * @param here the path of its entry in the navigation
 * @param login who is signed in; null for nobody
 * @param csrf what his forms have to bring
 * @param liveSeconds after which it is fetched anew; 0 for never
 */
public record Page(String title, String here, String login, String csrf, int liveSeconds) {

    /** The id of the job that a form of this page orders: each form has its own, so that one that is sent twice orders the same job. */
    public static String newJob() {
        return UUID.randomUUID().toString();
    }
}
