package org.readpast.jms.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;

class JmsConnectionMetaDataTest {

    @Test
    void it_says_which_version_of_what_this_is() {
        JmsConnectionMetaData metaData = JmsConnectionMetaData.INSTANCE;
        assertThat(metaData.getJMSVersion()).isEqualTo("3.1");
        assertThat(metaData.getJMSProviderName()).isEqualTo("Readpast");
        assertThat(metaData.getProviderVersion())
                .startsWith(metaData.getProviderMajorVersion() + "." + metaData.getProviderMinorVersion() + ".");
        assertThat(Collections.list(metaData.getJMSXPropertyNames()))
                .contains("JMSXDeliveryCount", "JMSXGroupID", "JMSXGroupSeq", "JMSXRcvTimestamp");
    }

    @Test
    void major_and_minor_come_from_the_version() {
        JmsConnectionMetaData metaData = new JmsConnectionMetaData("3.1", "12.34.5-SNAPSHOT");
        assertThat(metaData.getProviderMajorVersion()).isEqualTo(12);
        assertThat(metaData.getProviderMinorVersion()).isEqualTo(34);
        assertThat(metaData.getJMSMajorVersion()).isEqualTo(3);
        assertThat(metaData.getJMSMinorVersion()).isEqualTo(1);
    }
}
