package dev.holdfast.examples.environments;

class AcrobotTest extends DynamicalSystemTest {
    AcrobotTest() {
        super("env_acrobot", 4, new double[] {-0.1, -0.1, -0.1, -0.1}, new double[] {0.1, 0.1, 0.1, 0.1});
    }

    @Override
    DynamicalSystem create(int maxSteps) {
        return new Acrobot(maxSteps);
    }

    /** Its motion is chaotic: a difference in the last bit of a cosine grows. */
    @Override
    double tolerance() {
        return 1e-8;
    }
}
