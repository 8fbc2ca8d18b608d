package dev.holdfast.examples.environments;

import org.dyn4j.dynamics.Body;
import org.dyn4j.dynamics.Settings;
import org.dyn4j.dynamics.TimeStep;
import org.dyn4j.dynamics.joint.RevoluteJoint;
import org.dyn4j.geometry.Interval;
import org.dyn4j.geometry.Matrix22;
import org.dyn4j.geometry.Rotation;
import org.dyn4j.geometry.Vector2;

/**
 * Joins a leg to the lander's origin, within limits of their relative angle.
 *
 * <p>dyn4j's own correction of positions (6.0.0 and before) solves with a matrix of which one element is left from the step's start;
 * it flings apart what turns fast. This one is the same Newton step with a matrix of now: the joint's effective mass, as in Catto,
 * <i>Iterative Dynamics with Temporal Coherence</i> (2005).
 */
final class LegHinge extends RevoluteJoint<Body> {
    LegHinge(Body lander, Body leg, double lowerLimit, double upperLimit) {
        super(lander, leg, lander.getTransform().getTranslation());
        setLimitsReferenceAngle(0);
        setLimitsEnabled(lowerLimit, upperLimit);
    }

    @Override
    public boolean solvePositionConstraints(TimeStep step, Settings settings) {
        double angularError = turnWithinLimits(settings);
        double linearError = moveTogether();
        return linearError <= settings.getLinearTolerance() && angularError <= settings.getAngularTolerance();
    }

    private double turnWithinLimits(Settings settings) {
        double angle = Rotation.getNormalizedAngle(
                body2.getTransform().getRotationAngle() - body1.getTransform().getRotationAngle());
        double slop = settings.getAngularTolerance();
        double most = settings.getMaximumAngularCorrection();
        double error = 0;
        if (angle < lowerLimit) {
            error = Interval.clamp(angle - lowerLimit + slop, -most, 0);
        } else if (angle > upperLimit) {
            error = Interval.clamp(angle - upperLimit - slop, 0, most);
        }
        double inertia1 = body1.getMass().getInverseInertia();
        double inertia2 = body2.getMass().getInverseInertia();
        body1.rotateAboutCenter(error * inertia1 / (inertia1 + inertia2));
        body2.rotateAboutCenter(-error * inertia2 / (inertia1 + inertia2));
        return Math.abs(error);
    }

    private double moveTogether() {
        Vector2 arm1 = body1.getWorldCenter().to(getAnchor1());
        Vector2 arm2 = body2.getWorldCenter().to(getAnchor2());
        Vector2 gap = getAnchor1().to(getAnchor2());
        Matrix22 inverseMass = new Matrix22();
        addInverseMass(inverseMass, body1, arm1);
        addInverseMass(inverseMass, body2, arm2);
        Vector2 impulse = inverseMass.solve(gap.getNegative());
        move(body1, arm1, impulse.getNegative());
        move(body2, arm2, impulse);
        return gap.getMagnitude();
    }

    /** Adds how far a unit impulse at the end of an arm moves that end, each of the two directions in both. */
    private static void addInverseMass(Matrix22 sum, Body body, Vector2 arm) {
        double mass = body.getMass().getInverseMass();
        double inertia = body.getMass().getInverseInertia();
        sum.add(new Matrix22(
                mass + inertia * arm.y * arm.y,
                -inertia * arm.x * arm.y,
                -inertia * arm.x * arm.y,
                mass + inertia * arm.x * arm.x));
    }

    private static void move(Body body, Vector2 arm, Vector2 impulse) {
        body.translate(impulse.product(body.getMass().getInverseMass()));
        body.rotateAboutCenter(body.getMass().getInverseInertia() * arm.cross(impulse));
    }
}
