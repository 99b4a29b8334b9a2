/**
 * A Jakarta Messaging provider whose broker is a table in SQL Server, PostgreSQL or H2. What is exported is what users name in code
 * or in a configuration; the rest may change with any version.
 */
module org.readpast.jms {
    requires transitive jakarta.messaging;
    requires transitive java.naming;
    requires transitive java.sql;
    requires com.zaxxer.hikari;
    requires java.security.jgss;
    requires java.security.sasl;
    requires java.management;
    requires org.slf4j;
    requires static org.postgresql.jdbc;

    exports org.readpast.jms;
    exports org.readpast.jms.destination;
    exports org.readpast.jms.session;
    exports org.readpast.jms.jndi;
    exports org.readpast.jms.management;
    // PostgreSQL's driver makes its socket factory by its name.
    exports org.readpast.jms.store.jdbc.connect to
            org.postgresql.jdbc;

    uses java.sql.Driver;
}
