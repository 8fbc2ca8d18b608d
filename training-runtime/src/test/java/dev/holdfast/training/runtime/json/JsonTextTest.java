package dev.holdfast.training.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JsonTextTest {
    @Test
    @DisplayName("plain values are written as such, everything else as its text, what JSON doesn't have as null")
    void write() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("list", Arrays.asList(1, 2L, 0.5, 1e-7, true, null));
        map.put("nan", Double.NaN);
        map.put("infinite", Float.NEGATIVE_INFINITY);
        // A path is an Iterable of its own parts.
        map.put("path", Path.of("/a/b"));
        map.put("text", "\"\n\u0001 平稳");
        assertThat(JsonText.write(map))
                .isEqualTo("{\"list\":[1,2,0.5,1.0E-7,true,null],\"nan\":null,\"infinite\":null,\"path\":\"/a/b\","
                        + "\"text\":\"\\\"\\n\\u0001 平稳\"}");
        assertThat(JsonText.write(null)).isEqualTo("null");
    }

    @Test
    @DisplayName("an object is read; anything else, hostile or cut, is none")
    void read() {
        assertThat(JsonText.object(" {\"a\": [1, {\"b\": null}]} ")).isPresent();
        for (String text : new String[] {
            "",
            "[]",
            "3",
            "null",
            "{",
            "{\"a\":1",
            "{\"a\":1} x",
            "{\"a\":1,\"a\":2}",
            "{\"a\":NaN}",
            "{'a':1}",
            "{\"a\":".repeat(100_000),
            "{\"a\":" + "9".repeat(10_000) + "}"
        }) {
            assertThat(JsonText.object(text))
                    .as(text.substring(0, Math.min(20, text.length())))
                    .isEmpty();
        }
    }
}
