package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VariantTest {
    @Test
    void theBackendInJavaIsTwo() {
        assertThat(Variant.of("java", true)).containsExactly(Variant.javaSimd(), Variant.javaLoops());
        assertThat(Variant.of("java", false)).containsExactly(Variant.javaLoops());
        assertThat(Variant.of("djl", true)).containsExactly(new Variant("djl", "djl", true));
    }

    @Test
    void onlyTheOneWithSimdHasTheVectorApi() {
        assertThat(Variant.javaSimd().jvmOptions(25)).containsExactly("--add-modules", "jdk.incubator.vector");
        assertThat(Variant.javaLoops().jvmOptions(25)).isEmpty();
        assertThat(Variant.acting(false).jvmOptions(25)).isEmpty();
    }

    @Test
    void nativeCodeIsAllowedAsFarAsTheJvmAsksForIt() {
        Variant variant = new Variant("djl", "djl", false);

        assertThat(variant.jvmOptions(17)).containsExactly("--enable-native-access=ALL-UNNAMED");
        assertThat(variant.jvmOptions(23))
                .containsExactly("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
    }
}
