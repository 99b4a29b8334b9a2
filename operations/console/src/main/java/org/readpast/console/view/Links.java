package org.readpast.console.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.readpast.operations.messages.StoredMessage.Place;

/** Addresses of pages, from any other page: below which path the console is does not matter. What comes from messages stands in them encoded. */
public final class Links {

    private Links() {}

    /** As a value in an address. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /**
     * The messages of a queue.
     *
     * @param isLater whether those that are delayed, held or claimed by lease
     * @param where a selector; empty for none
     * @param after the page begins behind it; null for the first
     */
    public static String messages(int queue, boolean isLater, String where, Place after) {
        return "messages?queue=" + queue + (isLater ? "&later=yes" : "")
                + (where.isEmpty() ? "" : "&where=" + encode(where))
                + (after == null ? "" : "&" + place(after));
    }

    /** One message of a queue. */
    public static String message(int queue, Place place) {
        return "message?queue=" + queue + "&" + place(place);
    }

    private static String place(Place place) {
        return "priority=" + place.priority() + "&id=" + place.id()
                + (place.dueAt() == null ? "" : "&due=" + encode(place.dueAt().toString()));
    }

    /** The page of a job, by its id. */
    public static String job(String id) {
        return "job?job=" + id;
    }
}
