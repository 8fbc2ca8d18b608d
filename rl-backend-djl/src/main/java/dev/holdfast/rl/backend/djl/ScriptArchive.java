package dev.holdfast.rl.backend.djl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Packs TorchScript source the way {@code torch.jit.save} does, so that {@code torch.jit.load} compiles it: DJL has no
 * other way to a script.
 *
 * <pre>
 *   network/version              the format's version
 *   network/code/__torch__.py    the source of one class
 *   network/data.pkl             one object of it, pickled; its attributes are all None until the script assigns them
 *   network/constants.pkl        an empty tuple, pickled
 * </pre>
 */
final class ScriptArchive {
    // Operations of the pickle protocol, version 2.
    private static final byte[] PROTOCOL = {(byte) 0x80, 2};
    private static final char GLOBAL = 'c';
    private static final char EMPTY_TUPLE = ')';
    private static final char NEW_OBJECT = 0x81;
    private static final char EMPTY_DICT = '}';
    private static final char MARK = '(';
    private static final char STRING = 'X';
    private static final char NONE = 'N';
    private static final char SET_ITEMS = 'u';
    private static final char BUILD = 'b';
    private static final char STOP = '.';

    private ScriptArchive() {}

    /**
     * Packs a class.
     *
     * @param source its source
     * @param className its name
     * @param attributes the names of all its attributes, in ASCII
     * @return the archive
     */
    static byte[] pack(String source, String className, List<String> attributes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            add(zip, "version", ascii("10\n"));
            add(zip, "data.pkl", object(className, attributes));
            add(zip, "constants.pkl", emptyTuple());
            add(zip, "code/__torch__.py", ascii(source));
        } catch (IOException e) {
            throw new UncheckedIOException("written to memory", e);
        }
        return bytes.toByteArray();
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry("network/" + name));
        zip.write(content);
        zip.closeEntry();
    }

    private static byte[] object(String className, List<String> attributes) {
        ByteArrayOutputStream pickle = new ByteArrayOutputStream();
        pickle.writeBytes(PROTOCOL);
        pickle.write(GLOBAL);
        pickle.writeBytes(ascii("__torch__\n" + className + "\n"));
        pickle.write(EMPTY_TUPLE);
        pickle.write(NEW_OBJECT);
        pickle.write(EMPTY_DICT);
        pickle.write(MARK);
        for (String attribute : attributes) {
            // The length is an int, lowest byte first.
            pickle.write(STRING);
            pickle.writeBytes(new byte[] {(byte) attribute.length(), 0, 0, 0});
            pickle.writeBytes(ascii(attribute));
            pickle.write(NONE);
        }
        pickle.write(SET_ITEMS);
        pickle.write(BUILD);
        pickle.write(STOP);
        return pickle.toByteArray();
    }

    private static byte[] emptyTuple() {
        ByteArrayOutputStream pickle = new ByteArrayOutputStream();
        pickle.writeBytes(PROTOCOL);
        pickle.write(EMPTY_TUPLE);
        pickle.write(STOP);
        return pickle.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
