package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObjectTrustTest {

    private static ObjectTrust trust(String packages) {
        return ObjectTrust.parse(packages, ObjectLimits.DEFAULTS);
    }

    @Test
    void by_default_values_of_the_jdk_are_trusted_by_their_exact_names() {
        for (String empty : new String[] {null, "", "  ", ","}) {
            ObjectTrust trust = trust(empty);
            assertThat(trust.trusts("java.lang.String")).isTrue();
            assertThat(trust.trusts("java.util.ArrayList")).isTrue();
            assertThat(trust.trusts("[B")).isTrue();
            assertThat(trust.trusts("[[Ljava.util.UUID;")).isTrue();
            assertThat(trust.trusts("com.acme.Order")).isFalse();
            assertThat(trust.trusts("[Lcom.acme.Order;")).isFalse();
            assertThat(trust.trusts("java.util.PriorityQueue")).isFalse();
            assertThat(trust.trusts("java.util.ArrayList$SubList")).isFalse();
            assertThat(trust.trusts("java.util.concurrent.ConcurrentHashMap")).isFalse();
            assertThat(trust.trusts("java.lang.Class")).isFalse();
            assertThat(trust.trusts("java.net.URL")).isFalse();
        }
    }

    @Test
    void a_package_is_trusted_with_those_below_it() {
        ObjectTrust trust = trust("com.acme, org.example.* ,net.one.Thing");
        assertThat(trust.trusts("com.acme.Order")).isTrue();
        assertThat(trust.trusts("com.acme.Order$Line")).isTrue();
        assertThat(trust.trusts("com.acme.sub.Order")).isTrue();
        assertThat(trust.trusts("org.example.X")).isTrue();
        assertThat(trust.trusts("net.one.Thing")).isTrue();
        assertThat(trust.trusts("net.one.Thing$Part")).isTrue();
        assertThat(trust.trusts("net.one.Things")).isFalse();
        assertThat(trust.trusts("com.acmeevil.Order")).isFalse();
        assertThat(trust.trusts("com.Order")).isFalse();
        assertThat(trust.trusts("Order")).isFalse();
    }

    @Test
    void arrays_are_as_trusted_as_what_they_are_made_of() {
        ObjectTrust trust = trust("com.acme");
        assertThat(trust.trusts("[Lcom.acme.Order;")).isTrue();
        assertThat(trust.trusts("[[Lcom.acme.Order;")).isTrue();
        assertThat(trust.trusts("[[I")).isTrue();
        assertThat(trust.trusts("[Ljavax.script.ScriptEngine;")).isFalse();
    }

    @Test
    void plain_values_are_trusted_with_anything_else() {
        ObjectTrust trust = trust("com.acme");
        assertThat(trust.trusts("java.lang.String")).isTrue();
        assertThat(trust.trusts("int")).isTrue();
        assertThat(trust.trusts("java.math.BigDecimal")).isTrue();
        assertThat(trust.trusts("java.time.Ser")).isTrue();
        assertThat(trust.trusts("java.util.Collections$UnmodifiableList")).isTrue();
        assertThat(trust.trusts("java.util.logging.Level")).isFalse();
        assertThat(trust.trusts("java.lang.invoke.SerializedLambda")).isFalse();
        assertThat(trust.trusts("java.lang.reflect.Proxy")).isFalse();
        assertThat(trust.trusts("java.rmi.server.UnicastRemoteObject")).isFalse();
    }

    @Test
    void a_star_trusts_everything() {
        assertThat(trust("*").trusts("any.Thing")).isTrue();
        assertThat(trust("com.acme,*").trusts("any.Thing")).isTrue();
    }
}
