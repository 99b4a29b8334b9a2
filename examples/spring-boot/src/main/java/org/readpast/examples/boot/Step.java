package org.readpast.examples.boot;

/** How far an order has got. */
enum Step {
    ORDERED,
    INVOICED,
    SHIPPED,
    /** It could not be invoiced, and somebody has to look at it. */
    REFUSED
}
