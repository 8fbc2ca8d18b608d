package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.network.Tensor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeTensorsTest {
    @Test
    void writesTheBytesThatTheFormatDemands() throws Exception {
        byte[] bytes = write(List.of(
                new Tensor("a", new int[] {1, 2}, new float[] {1f, -2f}),
                new Tensor("b", new int[0], new long[] {258}),
                new Tensor("c", new int[] {2}, new boolean[] {true, false})));

        String header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]},"
                + "\"b\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[8,16]},"
                + "\"c\":{\"dtype\":\"BOOL\",\"shape\":[2],\"data_offsets\":[16,18]}}";
        int padded = (header.length() + 7) / 8 * 8;
        assertThat(bytes).startsWith(padded, 0, 0, 0, 0, 0, 0, 0);
        assertThat(new String(bytes, 8, padded, StandardCharsets.UTF_8))
                .isEqualTo(header + " ".repeat(padded - header.length()));
        // 1f is 0x3f800000, -2f is 0xc0000000, 258 is 0x0102.
        assertThat(Arrays.copyOfRange(bytes, 8 + padded, bytes.length))
                .containsExactly(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 2, 1, 0, 0, 0, 0, 0, 0, 1, 0);
    }

    @Test
    void readsBackWhatItWrote() throws Exception {
        List<Tensor> tensors = Fixtures.checkpoint().rollout();
        assertThat(read(write(tensors))).isEqualTo(tensors);
        assertThat(read(write(List.of()))).isEmpty();
    }

    @Test
    void readsBackTensorsLargerThanItsBuffer() throws Exception {
        double[] doubles = new double[20_000];
        boolean[] booleans = new boolean[70_000];
        for (int i = 0; i < booleans.length; i++) {
            booleans[i] = i % 7 == 0;
            doubles[i % doubles.length] = i;
        }
        List<Tensor> tensors = List.of(
                new Tensor("doubles", new int[] {200, 100}, doubles),
                new Tensor("booleans", new int[] {70_000}, booleans));
        assertThat(read(write(tensors))).isEqualTo(tensors);
    }

    @Test
    void keepsEveryBitOfANumber() throws Exception {
        float[] floats = {-0f, Float.MIN_VALUE, Float.NaN, Float.NEGATIVE_INFINITY, Float.intBitsToFloat(0x7f812345)};
        Tensor read =
                read(write(List.of(new Tensor("x", new int[] {5}, floats)))).get(0);
        for (int i = 0; i < floats.length; i++) {
            assertThat(Float.floatToRawIntBits(read.floats()[i])).isEqualTo(Float.floatToRawIntBits(floats[i]));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}  | 'x' must have data_offsets [0, 8]
                    {"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}  | 'x' must have data_offsets [0, 4]
                    {"x":{"dtype":"F32","shape":[1],"data_offsets":[0]}}    | but was 1 numbers
                    {"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}  | must fill the 8 bytes of data, but was 4
                    {"x":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}} | [0, 12] within the 8 bytes
                    {"x":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}}  | dtype of [F32, F64, I32, I64, BOOL], but was 'F16'
                    {"x":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}} | must have no negative dimension, but was [-2]
                    {"x":{"dtype":"F32","shape":[65536,65536],"data_offsets":[0,8]}} | must fit into the 8 bytes
                    {"x":{"dtype":"F32","shape":[2147483647,2147483647,2147483647],"data_offsets":[0,8]}} | must fit into the 8 bytes
                    {"x":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]}} | at most 8 dimensions, but was 9 of them
                    {"x":{"dtype":"F32","shape":[2.5],"data_offsets":[0,8]}} | x.shape[0] must be a whole number
                    {"x":{"dtype":"F32","shape":[4294967298],"data_offsets":[0,8]}} | whole number of 32 bits, but was '4294967298'
                    {"x":{"dtype":"F32","data_offsets":[0,8]}}              | x.shape is missing
                    {"x":7}                                                 | x must be an object, but was '7'
                    {"x":{"dtype":"BOOL","shape":[8],"data_offsets":[0,8]}} | element 1 of tensor 'x' must be 0 or 1, but was 2
                    {"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}} | Duplicate field
                    {"y":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} | 'y' must have data_offsets [0, 4]
                    [1]                                                     | must be an object
                    {}trailing                                              | must be JSON
                    {"x"                                                    | must be JSON
                    """)
    void namesWhatIsWrong(String header, String problem) {
        byte[] bytes = Archives.safetensors(header, new byte[] {0, 2, 0, 0, 0, 0, 0, 0});
        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(DamageException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void refusesHeadersThatCantBe() {
        byte[] bytes = Archives.safetensors("{}", new byte[0]);
        for (int huge : new int[] {0, 1, 3, 100, 127}) {
            bytes[0] = (byte) huge;
            assertThatThrownBy(() -> read(bytes))
                    .isInstanceOf(DamageException.class)
                    .hasMessage("header length must be in [2, 2], but was " + huge);
        }
        bytes[7] = (byte) 0xff;
        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(DamageException.class)
                .hasMessageContaining("18374686479671623807");
        assertThatThrownBy(() -> read(new byte[7]))
                .isInstanceOf(DamageException.class)
                .hasMessage("length must be at least 8 bytes, but was 7");
    }

    @Test
    void refusesToWriteWhatItCouldntRead() {
        Tensor tensor = new Tensor("x", new int[] {1}, new float[1]);
        assertThatThrownBy(() -> SafeTensors.check(List.of(tensor, tensor)))
                .isInstanceOf(DamageException.class)
                .hasMessage("tensor names must differ, but was x");
        assertThatThrownBy(() -> SafeTensors.check(List.of(new Tensor("x", new int[9], new float[0]))))
                .isInstanceOf(DamageException.class)
                .hasMessageContaining("at most 8 dimensions");
        assertThatThrownBy(() -> SafeTensors.check(List.of(new Tensor("x".repeat(1 << 20), new int[0], new float[1]))))
                .isInstanceOf(DamageException.class)
                .hasMessageContaining("the header must have at most 1048576 bytes");
    }

    private static byte[] write(List<Tensor> tensors) throws IOException, DamageException {
        SafeTensors.check(tensors);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SafeTensors.write(tensors, out);
        return out.toByteArray();
    }

    private static List<Tensor> read(byte[] bytes) throws IOException, DamageException {
        return SafeTensors.read(new ByteArrayInputStream(bytes), bytes.length);
    }
}
