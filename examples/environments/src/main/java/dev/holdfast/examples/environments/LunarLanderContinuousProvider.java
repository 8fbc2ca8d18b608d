package dev.holdfast.examples.environments;

/** Makes {@code LunarLanderContinuous-v3}. */
public final class LunarLanderContinuousProvider extends LunarLanderProvider {
    static final String NAME = "LunarLanderContinuous-v3";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public LunarLanderContinuousProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Land on a pad with engines of any power: like Gymnasium's LunarLanderContinuous-v3, returns about -600 to 320";
    }

    @Override
    boolean continuous() {
        return true;
    }
}
