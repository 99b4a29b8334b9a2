/**
 * What the contract suite stands on: the targets it runs against, the fixture a case is given, and the annotations
 * that say what a case is. A case is written once, against {@code jakarta.jms} alone, and runs on every target.
 */
package org.readpast.jms.tck.harness;
