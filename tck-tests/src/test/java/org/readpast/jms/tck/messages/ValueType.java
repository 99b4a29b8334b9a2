package org.readpast.jms.tck.messages;

/** The types of values which a property, a map entry or a stream field may have (§3.5.2, §3.11.3). */
enum ValueType {
    BOOLEAN("boolean"),
    BYTE("byte"),
    SHORT("short"),
    CHAR("char"),
    INT("int"),
    LONG("long"),
    FLOAT("float"),
    DOUBLE("double"),
    STRING("String"),
    BYTES("byte[]");

    private final String javaName;

    ValueType(String javaName) {
        this.javaName = javaName;
    }

    @Override
    public String toString() {
        return javaName;
    }
}
