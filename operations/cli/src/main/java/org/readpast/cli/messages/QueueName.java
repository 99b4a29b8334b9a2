package org.readpast.cli.messages;

import picocli.CommandLine.ITypeConverter;

/** A queue as applications may write it, {@code queue://orders}; any other name is meant as it stands. */
public final class QueueName implements ITypeConverter<String> {

    @Override
    public String convert(String name) {
        return name.startsWith("queue://") ? Destinations.nameOfQueue(name) : name;
    }
}
