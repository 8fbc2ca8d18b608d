package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;

/**
 * A car in a valley between two hills, with an engine too weak to climb the right one from rest: it must swing back first. At the
 * top of the right hill the episode terminates. The left end of the track stops the car.
 *
 * <p>The dynamics are those of {@code MountainCar-v0} and {@code MountainCarContinuous-v0} of Gymnasium, after Moore (<em>Efficient
 * memory-based learning for robot control</em>, 1990). The two differ in the engine, in where the goal is, and in the reward.
 *
 * <p>State and observation are position (the valley's lowest point is at -π/6) and velocity (a step's way, limited to ±0.07). At the
 * start the position is uniform in -0.6 to -0.4, and the car at rest.
 */
abstract class MountainCar extends DynamicalSystem {
    private static final double MIN_POSITION = -1.2;
    private static final double MAX_POSITION = 0.6;
    private static final double MAX_VELOCITY = 0.07;
    private static final double GRAVITY = 0.0025;

    private final double goalPosition;
    private final double goalVelocity;

    private MountainCar(String name, Space actionSpace, double goalPosition, double goalVelocity, int maxSteps) {
        super(name, 2, observed(), actionSpace, maxSteps);
        this.goalPosition = goalPosition;
        this.goalVelocity = goalVelocity;
    }

    private static Box observed() {
        return new Box(new int[] {2}, new float[] {(float) MIN_POSITION, (float) -MAX_VELOCITY}, new float[] {
            (float) MAX_POSITION, (float) MAX_VELOCITY
        });
    }

    /** Three forces: to the left (0), none (1), to the right (2). Each step costs 1. */
    static MountainCar discrete(double goalVelocity, int maxSteps) {
        return new MountainCar(MountainCarProvider.NAME, new Discrete(3), 0.5, goalVelocity, maxSteps) {
            @Override
            double move(Action action) {
                accelerate((action.index() - 1) * 0.001);
                return -1;
            }
        };
    }

    /** A force in ±1, of which each step costs a tenth of the square; the goal pays 100. */
    static MountainCar continuous(double goalVelocity, int maxSteps) {
        return new MountainCar(MountainCarContinuousProvider.NAME, Box.of(-1, 1, 1), 0.45, goalVelocity, maxSteps) {
            @Override
            double move(Action action) {
                double force = action.value(0);
                accelerate(clip(force, -1, 1) * 0.0015);
                return (terminal() ? 100 : 0) - 0.1 * (force * force);
            }
        };
    }

    @Override
    final void start(RandomStream random) {
        state[0] = uniform(random, -0.6, -0.4);
        state[1] = 0;
    }

    final void accelerate(double force) {
        state[1] = clip(state[1] + force - GRAVITY * StrictMath.cos(3 * state[0]), -MAX_VELOCITY, MAX_VELOCITY);
        state[0] = clip(state[0] + state[1], MIN_POSITION, MAX_POSITION);
        if (state[0] == MIN_POSITION && state[1] < 0) {
            state[1] = 0;
        }
    }

    @Override
    final boolean terminal() {
        return state[0] >= goalPosition && state[1] >= goalVelocity;
    }
}
