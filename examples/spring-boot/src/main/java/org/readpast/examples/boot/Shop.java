package org.readpast.examples.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Customers place orders; each is invoiced and shipped, by listeners that pass it on in the transaction that stores their row. Kill it at
 * any time, and start it again: what was ordered is invoiced once and shipped once.
 */
@SpringBootApplication
public class Shop {

    public static void main(String[] arguments) {
        System.exit(SpringApplication.exit(SpringApplication.run(Shop.class, arguments)));
    }
}
