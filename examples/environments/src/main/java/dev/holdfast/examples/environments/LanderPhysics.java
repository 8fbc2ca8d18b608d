package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.random.RandomStream;
import org.dyn4j.collision.CategoryFilter;
import org.dyn4j.dynamics.Body;
import org.dyn4j.dynamics.BodyFixture;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.Link;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Rotation;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.World;

/**
 * The lander of one episode, its two legs and the ground, in metres, kilograms and seconds. Sizes and strengths are those of
 * Gymnasium's {@code lunar_lander}, which gives them in pixels, 30 a metre.
 *
 * <p>The sky is {@value #WIDTH} m wide. The pad lies in its middle, at a quarter of its height; the lander starts above, at the top.
 */
final class LanderPhysics {
    static final double WIDTH = 20;
    static final double HEIGHT = 40 / 3.0;
    static final double PAD_HEIGHT = HEIGHT / 4;
    static final double STEPS_A_SECOND = 50;
    /** From the lander's origin to the feet, straight down. */
    static final double LEG_DOWN = metres(18);

    private static final int PEAKS = 11;
    private static final double FIRST_PUSH = 1000;
    private static final double FRICTION = 0.1;
    private static final double LANDER_DENSITY = 5;
    private static final double LEG_DENSITY = 1;
    private static final double LEG_AWAY = metres(20);
    /** The legs' least and greatest angle to the lander; a motor holds them at the least. */
    private static final double LEG_FOLDED = 0.4;

    private static final double LEG_SPREAD = 0.9;
    private static final double SPRING_TORQUE = 40;
    private static final double SPRING_SPEED = 0.3;
    private static final double MAIN_ENGINE = 13;
    private static final double MAIN_ENGINE_BELOW = metres(4);
    private static final double SIDE_ENGINE = 0.6;
    private static final double SIDE_ENGINE_AWAY = metres(12);
    private static final double SIDE_ENGINE_UP = metres(14);
    private static final double SIDE_ENGINE_DOWN = metres(17);

    /** What collides with what: the ground with lander and legs, these not with each other. */
    private static final long GROUND = 1;

    private static final long CRAFT = 2;

    private final World<Body> world = new World<>();
    private final Body lander = new Body();
    private final Body rightLeg;
    private final Body leftLeg;
    private double angle;

    /**
     * Draws a moon, and throws the lander into its sky.
     *
     * @param gravity in m/s², at most 0
     */
    LanderPhysics(double gravity, RandomStream random) {
        world.setGravity(0, gravity);
        world.getSettings().setStepFrequency(1 / STEPS_A_SECOND);
        // As many as Gymnasium has: with fewer, what the legs' motors and the ground do never quite cancels, and
        // nothing comes to rest.
        world.getSettings().setVelocityConstraintSolverIterations(180);
        world.getSettings().setPositionConstraintSolverIterations(20);
        world.addBody(ground(random));
        addFixture(
                lander,
                Geometry.createPolygon(
                        pixels(-14, 17),
                        pixels(-17, 0),
                        pixels(-17, -10),
                        pixels(17, -10),
                        pixels(17, 0),
                        pixels(14, 17)),
                LANDER_DENSITY);
        lander.translate(WIDTH / 2, HEIGHT);
        world.addBody(lander);
        rightLeg = leg(1);
        leftLeg = leg(-1);
        lander.applyForce(new Vector2(
                DynamicalSystem.uniform(random, -FIRST_PUSH, FIRST_PUSH),
                DynamicalSystem.uniform(random, -FIRST_PUSH, FIRST_PUSH)));
    }

    private static double metres(double pixels) {
        return pixels / 30;
    }

    private static Vector2 pixels(double x, double y) {
        return new Vector2(metres(x), metres(y));
    }

    /** Hills whose heights are smoothed over three; five are level, so that three are, which the pad lies on. */
    private static Body ground(RandomStream random) {
        double[] heights = new double[PEAKS + 1];
        for (int i = 0; i < heights.length; i++) {
            heights[i] = DynamicalSystem.uniform(random, 0, HEIGHT / 2);
        }
        int middle = PEAKS / 2;
        for (int i = middle - 2; i <= middle + 2; i++) {
            heights[i] = PAD_HEIGHT;
        }
        // From right to left: links are solid from one side only.
        Vector2[] surface = new Vector2[PEAKS];
        for (int i = 0; i < PEAKS; i++) {
            double before = heights[i == 0 ? PEAKS : i - 1];
            surface[PEAKS - 1 - i] =
                    new Vector2(WIDTH / (PEAKS - 1) * i, 0.33 * (before + heights[i] + heights[i + 1]));
        }
        Body ground = new Body();
        for (Link link : Geometry.createLinks(surface, false)) {
            BodyFixture fixture = ground.addFixture(link);
            fixture.setFriction(FRICTION);
            fixture.setFilter(new CategoryFilter(GROUND, CRAFT));
        }
        ground.setMass(MassType.INFINITE);
        return ground;
    }

    private static void addFixture(Body body, Convex shape, double density) {
        BodyFixture fixture = body.addFixture(shape, density, FRICTION, 0);
        fixture.setFilter(new CategoryFilter(CRAFT, GROUND));
        body.setMass(MassType.NORMAL);
        body.setAngularDamping(0);
    }

    /** Adds a leg, 1 for the right one and -1 for the left one, that hangs from the lander's origin. */
    private Body leg(int side) {
        Body leg = new Body();
        addFixture(leg, Geometry.createRectangle(metres(4), metres(16)), LEG_DENSITY);
        double angle = side * LEG_FOLDED;
        Vector2 hinge = new Vector2(-side * LEG_AWAY, LEG_DOWN).rotate(angle);
        leg.rotate(angle);
        leg.translate(lander.getTransform().getTranslation().difference(hinge));
        world.addBody(leg);
        LegHinge joint =
                new LegHinge(lander, leg, Math.min(angle, side * LEG_SPREAD), Math.max(angle, side * LEG_SPREAD));
        joint.setMotorEnabled(true);
        joint.setMotorSpeed(-side * SPRING_SPEED);
        joint.setMaximumMotorTorqueEnabled(true);
        joint.setMaximumMotorTorque(SPRING_TORQUE);
        world.addJoint(joint);
        return leg;
    }

    /**
     * Lets the engines push, then time go by for one step.
     *
     * @param main the main engine's power, 0 to 1
     * @param side the power of the engine that pushes to the right, 0 to 1, or of the one that pushes to the left, 0 to -1
     * @param random how the engines shake
     */
    void step(double main, double side, RandomStream random) {
        double alongShake = metres(DynamicalSystem.uniform(random, -1, 1));
        double acrossShake = metres(DynamicalSystem.uniform(random, -1, 1));
        double sine = StrictMath.sin(angle);
        double cosine = StrictMath.cos(angle);
        if (main > 0) {
            double along = MAIN_ENGINE_BELOW + 2 * alongShake;
            Vector2 thrust = new Vector2(cosine * acrossShake - sine * along, sine * acrossShake + cosine * along);
            lander.applyImpulse(thrust.product(MAIN_ENGINE * main), position().subtract(thrust));
        }
        if (side != 0) {
            double across = 3 * acrossShake + Math.signum(side) * SIDE_ENGINE_AWAY;
            Vector2 thrust = new Vector2(cosine * across - sine * alongShake, sine * across + cosine * alongShake);
            // Not quite a rotation: Gymnasium's place of the engines, which its policies know.
            Vector2 place = position().subtract(thrust).add(-sine * SIDE_ENGINE_DOWN, cosine * SIDE_ENGINE_UP);
            lander.applyImpulse(thrust.product(SIDE_ENGINE * Math.abs(side)), place);
        }
        world.step(1);
        angle += Rotation.getNormalizedAngle(lander.getTransform().getRotationAngle() - angle);
    }

    private Vector2 position() {
        return lander.getTransform().getTranslation();
    }

    double x() {
        return position().x;
    }

    double y() {
        return position().y;
    }

    /** Returns the lander's angle from upright, counter-clockwise; beyond π if it turned over. */
    double angle() {
        return angle;
    }

    double velocityX() {
        return lander.getLinearVelocity().x;
    }

    double velocityY() {
        return lander.getLinearVelocity().y;
    }

    double angularVelocity() {
        return lander.getAngularVelocity();
    }

    boolean rightLegTouches() {
        return touches(rightLeg);
    }

    boolean leftLegTouches() {
        return touches(leftLeg);
    }

    /** Returns whether the lander itself touches the ground. */
    boolean isCrashed() {
        return touches(lander);
    }

    private boolean touches(Body body) {
        return !world.getContacts(body).isEmpty();
    }

    /** Returns whether all has stood still for half a second. */
    boolean isAtRest() {
        return lander.isAtRest();
    }
}
