package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObjectTrustTest {

    @Test
    void by_default_nothing_is_trusted() {
        for (String empty : new String[] {null, "", "  ", ","}) {
            ObjectTrust trust = ObjectTrust.parse(empty);
            assertThat(trust.trusts("java.lang.String")).isFalse();
            assertThat(trust.trusts("[B")).isFalse();
            assertThat(trust.trusts("com.acme.Order")).isFalse();
        }
    }

    @Test
    void a_package_is_trusted_with_those_below_it() {
        ObjectTrust trust = ObjectTrust.parse("com.acme, org.example.*  net.one.Thing");
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
        ObjectTrust trust = ObjectTrust.parse("com.acme");
        assertThat(trust.trusts("[Lcom.acme.Order;")).isTrue();
        assertThat(trust.trusts("[[Lcom.acme.Order;")).isTrue();
        assertThat(trust.trusts("[[I")).isTrue();
        assertThat(trust.trusts("[Ljavax.script.ScriptEngine;")).isFalse();
    }

    @Test
    void plain_values_are_trusted_with_anything_else() {
        ObjectTrust trust = ObjectTrust.parse("com.acme");
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
        assertThat(ObjectTrust.parse("*").trusts("any.Thing")).isTrue();
        assertThat(ObjectTrust.parse("com.acme,*").trusts("any.Thing")).isTrue();
    }
}
