package org.readpast.javax.editions;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.List;

/** What an application puts into an ObjectMessage. */
public record Parcel(String item, BigDecimal price, List<Integer> sizes) implements Serializable {}
