package dev.holdfast.examples.backends;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.cli.Holdfast;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** Who may depend on whom, and what an embeddable library must not do. */
@AnalyzeClasses(
        packages = "dev.holdfast",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.DoNotIncludeTestJars.class})
class ArchitectureTest {
    /** The published tests are in a jar by the time that this test runs in a build of all modules. */
    static final class DoNotIncludeTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String API = "dev.holdfast.rl.api..";
    private static final String JAVA_BACKEND = "dev.holdfast.rl.backend.java..";
    private static final String DJL_BACKEND = "dev.holdfast.rl.backend.djl..";
    private static final String DL4J_BACKEND = "dev.holdfast.rl.backend.dl4j..";
    private static final String RUNTIME = "dev.holdfast.training.runtime..";
    private static final String CLI = "dev.holdfast.training.runtime.cli..";
    private static final String UI = "dev.holdfast.training.ui..";
    private static final String UI_CLI = "dev.holdfast.training.ui.cli..";
    private static final String EXAMPLES = "dev.holdfast.examples..";

    @ArchTest
    static final ArchRule apiDependsOnNothing = classes()
            .that()
            .resideInAPackage(API)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "org.slf4j..", API);

    @ArchTest
    static final ArchRule javaBackendDependsOnTheApiAlone = classes()
            .that()
            .resideInAPackage(JAVA_BACKEND)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    "org.slf4j..",
                    "jdk.incubator.vector..",
                    "com.sun.management..",
                    API,
                    JAVA_BACKEND);

    @ArchTest
    static final ArchRule djlBackendDependsOnTheApiAndDjl = classes()
            .that()
            .resideInAPackage(DJL_BACKEND)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "org.jspecify..", "org.slf4j..", "ai.djl..", "com.sun.jna..", API, DJL_BACKEND);

    @ArchTest
    static final ArchRule dl4jBackendDependsOnTheApiAndDl4j = classes()
            .that()
            .resideInAPackage(DL4J_BACKEND)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    "org.slf4j..",
                    "org.nd4j..",
                    "org.deeplearning4j..",
                    "org.bytedeco..",
                    API,
                    DL4J_BACKEND);

    @ArchTest
    static final ArchRule runtimeDependsOnNoBackend = classes()
            .that()
            .resideInAPackage(RUNTIME)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "org.jspecify..", "org.slf4j..", "com.fasterxml.jackson..", "picocli..", API, RUNTIME);

    @ArchTest
    static final ArchRule picocliStaysInTheCommandLine = noClasses()
            .that()
            .resideOutsideOfPackages(CLI, UI_CLI, EXAMPLES)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule pageDependsOnTheRuntime = classes()
            .that()
            .resideInAPackage(UI)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "com.sun.net.httpserver..",
                    "org.jspecify..",
                    "org.slf4j..",
                    "picocli..",
                    API,
                    RUNTIME,
                    UI);

    @ArchTest
    static final ArchRule jobsNeedNoCommandLine = noClasses()
            .that()
            .resideInAPackage("dev.holdfast.training.runtime.job..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CLI);

    @ArchTest
    static final ArchRule signaturesShowNoJackson = classes()
            .that()
            .resideOutsideOfPackage(EXAMPLES)
            .should(haveNoVisibleSignatureWith("com.fasterxml.jackson"));

    @ArchTest
    static final ArchRule signaturesShowNoDjlElsewhere = classes()
            .that()
            .resideOutsideOfPackages(EXAMPLES, DJL_BACKEND)
            .should(haveNoVisibleSignatureWith("ai.djl"));

    @ArchTest
    static final ArchRule signaturesShowNoDl4jElsewhere = classes()
            .that()
            .resideOutsideOfPackages(EXAMPLES, DL4J_BACKEND)
            .should(haveNoVisibleSignatureWith("org.nd4j", "org.deeplearning4j", "org.bytedeco"));

    @ArchTest
    static final ArchRule onlyTheCommandEndsTheJvm = noClasses()
            .that()
            .doNotBelongToAnyOf(Holdfast.class)
            .and()
            .resideOutsideOfPackage(EXAMPLES)
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "exit", int.class);

    @ArchTest
    static final ArchRule onlyCommandsUseStandardStreams =
            noClasses().that().resideOutsideOfPackages(CLI, EXAMPLES).should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule noStaticState = fields().that()
            .areStatic()
            .and()
            .doNotHaveModifier(JavaModifier.SYNTHETIC)
            .and()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackage(EXAMPLES)
            .should()
            .beFinal();

    @ArchTest
    static final ArchRule nullnessIsDeclared = classes()
            .that()
            .resideOutsideOfPackage("..jmh_generated")
            .should(new ArchCondition<>("be in a @NullMarked package") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    boolean marked = type.getPackage()
                            .tryGetAnnotationOfType(NullMarked.class)
                            .isPresent();
                    events.add(new SimpleConditionEvent(type, marked, type.getPackageName() + " is not @NullMarked"));
                }
            });

    @ArchTest
    static final ArchRule visibleExceptionsHaveOneRoot = classes()
            .that()
            .areAssignableTo(Throwable.class)
            .and()
            .arePublic()
            .should()
            .beAssignableTo(HoldfastException.class);

    @ArchTest
    static final ArchRule apiPackagesHaveNoCycles =
            slices().matching("dev.holdfast.rl.api.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule runtimePackagesHaveNoCycles =
            slices().matching("dev.holdfast.training.runtime.(**)").should().beFreeOfCycles();

    private static ArchCondition<JavaClass> haveNoVisibleSignatureWith(String... packages) {
        return new ArchCondition<>(
                "have no " + String.join(", ", packages) + " type in a public or protected signature") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!isVisible(type.getModifiers())) {
                    return;
                }
                for (JavaMember member : type.getMembers()) {
                    Stream<JavaClass> shown = Stream.concat(
                            member.getAllInvolvedRawTypes().stream(), type.getAllInvolvedRawTypes().stream());
                    events.add(new SimpleConditionEvent(
                            member,
                            !isVisible(member.getModifiers())
                                    || shown.noneMatch(part ->
                                            Arrays.stream(packages).anyMatch(part.getPackageName()::startsWith)),
                            member.getFullName() + " shows a type of " + String.join(", ", packages)));
                }
            }
        };
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }
}
