package dev.holdfast.rl.backend.dl4j.model;

/** What must be set before ND4J's first class is initialised; a setting of the application's own holds. */
final class Nd4jStart {
    private Nd4jStart() {}

    static void prepare() {
        // JavaCPP would count the memory of the whole process against limits that it derives from the size of Java's
        // heap.
        setDefault("org.bytedeco.javacpp.maxbytes", "0");
        setDefault("org.bytedeco.javacpp.maxphysicalbytes", "0");
        setDefault("org.nd4j.log.initialization", "false");
    }

    private static void setDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
