package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.network.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Named tensors in the safetensors format, which PyTorch, NumPy and others read too.
 *
 * <pre>
 *   offset  bytes
 *   0       8      h, the length of the header, unsigned, little-endian
 *   8       h      JSON: {"name":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},…}, padded with spaces to a multiple of 8
 *   8 + h   …      the tensors' elements, little-endian, row-major, one tensor after the other without gaps
 * </pre>
 *
 * The header names the tensors in the order of their data. Beyond what the format demands, reading insists on that order.
 */
final class SafeTensors {
    private static final int LARGEST_HEADER = 1 << 20;
    private static final int MOST_DIMENSIONS = 8;
    private static final int CHUNK = 1 << 16;

    private enum Type {
        F32(4),
        F64(8),
        I32(4),
        I64(8),
        BOOL(1);

        final int bytes;

        Type(int bytes) {
            this.bytes = bytes;
        }

        static Type of(Tensor tensor) {
            Object data = tensor.data();
            if (data instanceof float[]) {
                return F32;
            } else if (data instanceof double[]) {
                return F64;
            } else if (data instanceof int[]) {
                return I32;
            }
            return data instanceof long[] ? I64 : BOOL;
        }

        Object allocate(int length) {
            return switch (this) {
                case F32 -> new float[length];
                case F64 -> new double[length];
                case I32 -> new int[length];
                case I64 -> new long[length];
                case BOOL -> new boolean[length];
            };
        }
    }

    private SafeTensors() {}

    static void write(List<Tensor> tensors, OutputStream out) throws IOException {
        byte[] header = header(tensors);
        int padding = -header.length & 7;
        out.write(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length + padding)
                .array());
        out.write(header);
        out.write(" ".repeat(padding).getBytes(StandardCharsets.US_ASCII));
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
        for (Tensor tensor : tensors) {
            Type type = Type.of(tensor);
            int length = elements(tensor);
            int perChunk = CHUNK / type.bytes;
            for (int from = 0; from < length; from += perChunk) {
                int count = Math.min(perChunk, length - from);
                encode(tensor.data(), from, count, buffer.clear());
                out.write(buffer.array(), 0, count * type.bytes);
            }
        }
    }

    /** Checks what {@link #read} will insist on. */
    static void check(List<Tensor> tensors) throws DamageException {
        Set<String> names = new HashSet<>();
        for (Tensor tensor : tensors) {
            DamageException.unless(names.add(tensor.name()), "tensor names", "must differ", tensor.name());
            DamageException.unless(
                    tensor.shape().length <= MOST_DIMENSIONS,
                    "the shape of tensor " + tensor.name(),
                    "must have at most " + MOST_DIMENSIONS + " dimensions",
                    Arrays.toString(tensor.shape()));
        }
        int size = header(tensors).length + 7;
        DamageException.unless(
                size <= LARGEST_HEADER, "the header", "must have at most " + LARGEST_HEADER + " bytes", size);
    }

    private static byte[] header(List<Tensor> tensors) {
        Map<String, Object> header = new LinkedHashMap<>();
        long offset = 0;
        for (Tensor tensor : tensors) {
            Type type = Type.of(tensor);
            long end = offset + (long) type.bytes * elements(tensor);
            Map<String, Object> description = new LinkedHashMap<>();
            description.put("dtype", type.name());
            description.put("shape", tensor.shape());
            description.put("data_offsets", new long[] {offset, end});
            header.put(tensor.name(), description);
            offset = end;
        }
        return Json.compact(header);
    }

    private static int elements(Tensor tensor) {
        return Array.getLength(tensor.data());
    }

    private static void encode(Object data, int from, int count, ByteBuffer buffer) {
        if (data instanceof float[] floats) {
            buffer.asFloatBuffer().put(floats, from, count);
        } else if (data instanceof double[] doubles) {
            buffer.asDoubleBuffer().put(doubles, from, count);
        } else if (data instanceof int[] ints) {
            buffer.asIntBuffer().put(ints, from, count);
        } else if (data instanceof long[] longs) {
            buffer.asLongBuffer().put(longs, from, count);
        } else {
            boolean[] booleans = (boolean[]) data;
            for (int i = 0; i < count; i++) {
                buffer.put((byte) (booleans[from + i] ? 1 : 0));
            }
        }
    }

    /**
     * Reads tensors. What it allocates is bounded by {@code length}.
     *
     * @param in where they are
     * @param length the number of bytes that are there
     */
    static List<Tensor> read(InputStream in, long length) throws DamageException, IOException {
        DamageException.unless(length >= 8, "length", "must be at least 8 bytes", length);
        long headerLength =
                ByteBuffer.wrap(exactly(in, 8)).order(ByteOrder.LITTLE_ENDIAN).getLong();
        DamageException.unless(
                headerLength >= 2 && headerLength <= LARGEST_HEADER && headerLength <= length - 8,
                "header length",
                "must be in [2, " + Math.min(LARGEST_HEADER, length - 8) + "]",
                Long.toUnsignedString(headerLength));
        List<Tensor> tensors = allocate(Json.parse(exactly(in, (int) headerLength)), length - 8 - headerLength);
        byte[] chunk = new byte[CHUNK];
        for (Tensor tensor : tensors) {
            fill(tensor, in, chunk);
        }
        return tensors;
    }

    /** Makes the tensors that a header describes, all zeros. Each is checked to be there before it is allocated. */
    private static List<Tensor> allocate(Json header, long dataLength) throws DamageException {
        List<Tensor> tensors = new ArrayList<>();
        long offset = 0;
        long most = Math.min(dataLength, Integer.MAX_VALUE - 8);
        for (String name : header.keys()) {
            Json description = header.object(name);
            String tensor = "tensor " + DamageException.quote(name);
            Type type = type(tensor, description.text("dtype"));
            int[] shape = description.integers("shape");
            String shown = shape.length > MOST_DIMENSIONS ? shape.length + " of them" : Arrays.toString(shape);
            DamageException.unless(
                    shape.length <= MOST_DIMENSIONS,
                    tensor,
                    "must have at most " + MOST_DIMENSIONS + " dimensions",
                    shown);
            long elements = 1;
            for (int dimension : shape) {
                DamageException.unless(dimension >= 0, tensor, "must have no negative dimension", shown);
                elements *= dimension;
                DamageException.unless(
                        elements <= most, tensor, "must fit into the " + dataLength + " bytes of data", shown);
            }
            long end = offset + elements * type.bytes;
            long[] offsets = description.wholes("data_offsets");
            DamageException.unless(
                    offsets.length == 2 && offsets[0] == offset && offsets[1] == end && end <= dataLength,
                    tensor,
                    "must have data_offsets [" + offset + ", " + end + "] within the " + dataLength + " bytes of data",
                    offsets.length == 2 ? Arrays.toString(offsets) : offsets.length + " numbers");
            tensors.add(new Tensor(name, shape, type.allocate((int) elements)));
            offset = end;
        }
        DamageException.unless(
                offset == dataLength, "the tensors", "must fill the " + dataLength + " bytes of data", offset);
        return tensors;
    }

    private static Type type(String tensor, String name) throws DamageException {
        for (Type type : Type.values()) {
            if (type.name().equals(name)) {
                return type;
            }
        }
        throw new DamageException(tensor + " must have a dtype of " + Arrays.toString(Type.values()) + ", but was "
                + DamageException.quote(name));
    }

    private static void fill(Tensor tensor, InputStream in, byte[] chunk) throws DamageException, IOException {
        Type type = Type.of(tensor);
        int length = elements(tensor);
        int perChunk = CHUNK / type.bytes;
        for (int from = 0; from < length; from += perChunk) {
            int count = Math.min(perChunk, length - from);
            int bytes = count * type.bytes;
            if (in.readNBytes(chunk, 0, bytes) < bytes) {
                throw new DamageException("tensor " + DamageException.quote(tensor.name()) + " is cut short");
            }
            decode(ByteBuffer.wrap(chunk, 0, bytes).order(ByteOrder.LITTLE_ENDIAN), tensor, from, count);
        }
    }

    private static void decode(ByteBuffer buffer, Tensor tensor, int from, int count) throws DamageException {
        if (tensor.data() instanceof float[] floats) {
            buffer.asFloatBuffer().get(floats, from, count);
        } else if (tensor.data() instanceof double[] doubles) {
            buffer.asDoubleBuffer().get(doubles, from, count);
        } else if (tensor.data() instanceof int[] ints) {
            buffer.asIntBuffer().get(ints, from, count);
        } else if (tensor.data() instanceof long[] longs) {
            buffer.asLongBuffer().get(longs, from, count);
        } else {
            boolean[] booleans = tensor.booleans();
            for (int i = 0; i < count; i++) {
                byte value = buffer.get();
                DamageException.unless(
                        value == 0 || value == 1,
                        "element " + (from + i) + " of tensor " + DamageException.quote(tensor.name()),
                        "must be 0 or 1",
                        value);
                booleans[from + i] = value == 1;
            }
        }
    }

    private static byte[] exactly(InputStream in, int length) throws DamageException, IOException {
        byte[] bytes = in.readNBytes(length);
        DamageException.unless(bytes.length == length, "the header", "must have " + length + " bytes", bytes.length);
        return bytes;
    }
}
