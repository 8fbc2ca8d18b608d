package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.random.RandomStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Damages files at random, by the byte and as JSON. */
final class Mutations {
    private static final String[] HOSTILE = {
        "0",
        "-1",
        "1e999",
        "-0.0",
        "2147483648",
        "9223372036854775808",
        "1".repeat(100),
        "null",
        "true",
        "NaN",
        "-Infinity",
        "1e2147483647",
        "\"\"",
        "\"custom\"",
        "\"Infinity\"",
        "\"-Infinity\"",
        "[]",
        "{}",
        "[[[[]]]]",
        "[2147483647]",
        "[65536,65536]",
        "{\"\":0}",
        "\"\\ud800\"",
        "\"linear(1)\"",
        "\"linear(,)\"",
        "\"lin_\"",
        "\"1e-400\"",
        "[".repeat(2000),
        "\"Box\"",
        "\"ConditionalDiscrete\"",
        "\"MultiBinary\"",
        "16777216"
    };

    private static final List<String> ENCODINGS = List.of("UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32", "ISO-8859-1");
    private static final List<String> INVALID_UTF_8 =
            List.of("\u00ff", "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00e2\u0082");

    private Mutations() {}

    /** Changes, removes, repeats or inserts some bytes. */
    static byte[] bytes(byte[] from, RandomStream random) {
        byte[] bytes = from.clone();
        for (int n = 1 + random.nextInt(4); n > 0 && bytes.length > 0; n--) {
            int at = random.nextInt(bytes.length);
            int length = Math.min(1 + random.nextInt(1 << random.nextInt(10)), bytes.length - at);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> Arrays.fill(bytes, at, at + length, (byte) (random.nextInt(2) - 1));
                case 3 -> bytes = Arrays.copyOf(bytes, at);
                case 4 -> bytes = splice(bytes, at, length, new byte[0]);
                default -> bytes = splice(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + length));
            }
        }
        return bytes;
    }

    private static byte[] splice(byte[] bytes, int at, int removed, byte[] inserted) {
        byte[] result = new byte[bytes.length - removed + inserted.length];
        System.arraycopy(bytes, 0, result, 0, at);
        System.arraycopy(inserted, 0, result, at, inserted.length);
        System.arraycopy(bytes, at + removed, result, at + inserted.length, bytes.length - at - removed);
        return result;
    }

    /** Makes something of a JSON object that hardly anybody would write. */
    static byte[] json(byte[] from, RandomStream random) {
        String text = new String(from, StandardCharsets.UTF_8);
        int size = 1 << random.nextInt(21);
        return switch (random.nextInt(10)) {
            case 0 -> bytes(from, random);
            case 1 -> utf8("\ufeff" + text);
            case 2 -> text.getBytes(Charset.forName(ENCODINGS.get(random.nextInt(ENCODINGS.size()))));
            case 3 -> withMember(text, keyOf(text, random) + ":" + HOSTILE[random.nextInt(HOSTILE.length)]);
            case 4 -> withMember(text, "\"x\":" + "[".repeat(size) + (random.nextInt(2) == 0 ? "" : "]".repeat(size)));
            case 5 -> withMember(text, "\"x\":\"" + "x".repeat(size) + "\"");
            case 6 -> withMember(text, "\"x\":" + "1".repeat(size));
            case 7 -> withMember(text, "\"" + "k".repeat(size) + "\":1");
            case 8 -> {
                String invalid = INVALID_UTF_8.get(random.nextInt(INVALID_UTF_8.size()));
                int at = random.nextInt(text.length());
                yield (text.substring(0, at) + invalid + text.substring(at)).getBytes(StandardCharsets.ISO_8859_1);
            }
            default -> value(text, random);
        };
    }

    private static byte[] withMember(String text, String member) {
        return utf8(text.replaceFirst("\\{", "{" + member.replace("\\", "\\\\") + ","));
    }

    private static String keyOf(String text, RandomStream random) {
        List<String> keys = Pattern.compile("\"[^\"]*\"(?= *:)")
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .toList();
        return keys.get(random.nextInt(keys.size()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Puts something else in the place of one value. */
    static byte[] value(String text, RandomStream random) {
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == ':' || (text.charAt(i) == ',' && random.nextInt(4) == 0)) {
                values.add(i + 1);
            }
        }
        int start = values.get(random.nextInt(values.size()));
        int end = start;
        int depth = 0;
        while (end < text.length() && (depth > 0 || ",}]".indexOf(text.charAt(end)) < 0)) {
            depth += "[{".indexOf(text.charAt(end)) >= 0 ? 1 : "]}".indexOf(text.charAt(end)) >= 0 ? -1 : 0;
            end++;
        }
        String value = HOSTILE[random.nextInt(HOSTILE.length)];
        return utf8(text.substring(0, start) + value + text.substring(end));
    }
}
