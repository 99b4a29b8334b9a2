package org.readpast.jms.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamJsonTest {

    @Test
    void values_keep_their_types_and_order() {
        List<Object> values = Arrays.asList(
                "Ada", true, 5, 19.9, null, 5L, (byte) 1, (short) 2, 'c', 1.5f, new byte[] {1, 2, 3}, Double.NaN);
        String json = StreamJson.write(values);
        assertThat(json)
                .isEqualTo("[\"Ada\",true,5,19.9,null,{\"long\":5},{\"byte\":1},{\"short\":2},{\"char\":\"c\"},"
                        + "{\"float\":1.5},{\"bytes\":\"AQID\"},{\"double\":\"NaN\"}]");
        assertThat(StreamJson.read(json).toArray()).isEqualTo(values.toArray());
    }

    @Test
    void no_values_are_no_json() {
        assertThat(StreamJson.write(List.of())).isNull();
        assertThat(StreamJson.read(null)).isEmpty();
        assertThat(StreamJson.read("[ ]")).isEmpty();
    }

    @Test
    void json_written_by_hand_is_read() {
        assertThat(
                        StreamJson.read(
                                " [ 1 , 3000000000, 1e2, { \"int\" : 5 }, {\"double\":1.5}, {\"long\":\"x\"}, {\"a\":1,\"long\":2}, [1] ] "))
                .containsExactly(1, 3_000_000_000L, 100.0, 5, 1.5, "{\"long\":\"x\"}", "{\"a\":1,\"long\":2}", "[1]");
    }

    @Test
    void what_is_no_array_is_refused() {
        assertThatThrownBy(() -> StreamJson.read("{}")).isInstanceOf(MalformedJsonException.class);
        assertThatThrownBy(() -> StreamJson.read("[1")).isInstanceOf(MalformedJsonException.class);
    }
}
