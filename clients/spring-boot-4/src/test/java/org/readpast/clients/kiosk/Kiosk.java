package org.readpast.clients.kiosk;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.PropertySource;

/** An application that a test runs a slice of. */
@SpringBootApplication
@PropertySource("classpath:kiosk.properties")
class Kiosk {}
