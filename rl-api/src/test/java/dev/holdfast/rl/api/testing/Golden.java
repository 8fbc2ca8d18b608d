package dev.holdfast.rl.api.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.network.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the numbers that the reference implementation gave. Each file explains itself under {@code about}; an array is an object
 * of {@code shape}, {@code dtype} and {@code data}, the latter flat and row-major.
 */
public final class Golden {
    private Golden() {}

    /**
     * Reads a file.
     *
     * @param name its name without {@code .json}
     * @return its content
     */
    public static JsonNode load(String name) {
        try (InputStream in = Golden.class.getResourceAsStream("/dev/holdfast/rl/api/golden/" + name + ".json")) {
            if (in == null) {
                throw new IllegalArgumentException("no golden file " + name);
            }
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the elements of an array or list of numbers.
     *
     * @param array an array object or a plain list; {@code inf}, {@code -inf} and {@code nan} may be texts
     * @return its elements
     */
    public static double[] doubles(JsonNode array) {
        JsonNode data = array.isArray() ? array : array.required("data");
        double[] numbers = new double[data.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(data.get(i));
        }
        return numbers;
    }

    /**
     * Returns the elements of an array or list of numbers as floats.
     *
     * @param array as for {@link #doubles}
     * @return its elements
     */
    public static float[] floats(JsonNode array) {
        double[] numbers = doubles(array);
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }

    /**
     * Returns the elements of an array or list of booleans, given as such or as 0 and 1.
     *
     * @param array as for {@link #doubles}
     * @return its elements
     */
    public static boolean[] booleans(JsonNode array) {
        JsonNode data = array.isArray() ? array : array.required("data");
        boolean[] booleans = new boolean[data.size()];
        for (int i = 0; i < booleans.length; i++) {
            booleans[i] = data.get(i).asBoolean();
        }
        return booleans;
    }

    /**
     * Returns the elements of a list of integers, or the shape of an array.
     *
     * @param list a plain list
     * @return its elements
     */
    public static int[] ints(JsonNode list) {
        int[] ints = new int[list.size()];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = list.get(i).intValue();
        }
        return ints;
    }

    /**
     * Returns an object of float arrays as named tensors, in the file's order.
     *
     * @param arrays an object whose values are array objects
     * @return one tensor a field
     */
    public static List<Tensor> tensors(JsonNode arrays) {
        List<Tensor> tensors = new ArrayList<>();
        arrays.properties()
                .forEach(field -> tensors.add(new Tensor(
                        field.getKey(), ints(field.getValue().required("shape")), floats(field.getValue()))));
        return tensors;
    }

    private static double number(JsonNode node) {
        if (node.isTextual()) {
            return switch (node.textValue()) {
                case "inf" -> Double.POSITIVE_INFINITY;
                case "-inf" -> Double.NEGATIVE_INFINITY;
                case "nan" -> Double.NaN;
                default -> throw new IllegalArgumentException("not a number: " + node);
            };
        }
        return node.doubleValue();
    }
}
