package org.readpast.javax;

/**
 * A class that a class file refers to, or a method or field of it.
 *
 * @param owner the class by its internal name
 * @param nameAndDescriptor empty for the class itself
 */
record Member(String owner, String nameAndDescriptor) {

    static Member type(String internalName) {
        return new Member(internalName, "");
    }

    static Member method(String owner, String name, String descriptor) {
        return new Member(owner, name + descriptor);
    }

    static Member field(String owner, String name, String descriptor) {
        return new Member(owner, name + ":" + descriptor);
    }

    @Override
    public String toString() {
        return nameAndDescriptor.isEmpty() ? owner : owner + "." + nameAndDescriptor;
    }
}
