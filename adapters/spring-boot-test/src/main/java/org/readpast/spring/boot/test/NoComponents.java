package org.readpast.spring.boot.test;

import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** What a scan finds is left out: the test imports what it tests. All are equal, as contexts are cached by it. */
final class NoComponents extends TypeExcludeFilter {

    @Override
    public boolean match(MetadataReader metadataReader, MetadataReaderFactory metadataReaderFactory) {
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NoComponents;
    }

    @Override
    public int hashCode() {
        return NoComponents.class.hashCode();
    }
}
