package dev.holdfast.examples.environments.jobshop;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;

/**
 * Job-shop scheduling, one dispatch a step. An episode is one instance, from the empty schedule to the whole one.
 *
 * <p><em>Actions.</em> The jobs that can be dispatched next, the candidates of the {@link Shop}, stand in {@value #SLOTS} slots, those
 * with the least slack first, and an action is a slot. Slots without a job are masked; should there be more candidates than slots,
 * those with the most slack have to wait. Where there is one candidate alone it is dispatched at once: a step is a choice.
 *
 * <p><em>Observations.</em> {@link Observation} lists them; they are all 0 when everything is scheduled. Their number and meaning are
 * the same for all instances, so that a policy can be handed on from any to any other.
 *
 * <p><em>Rewards.</em> {@code time}: minus what a step adds to the lower bound of the makespan ({@link Outlook}), in percent of that
 * bound at the beginning. In the end the bound is the makespan, so that an episode returns minus the gap between the makespan and
 * that first bound. This is the makespan as reward of the last step, in other units and with the bound as a potential: the best
 * policies are the same (Ng, Harada and Russell, <em>Policy invariance under reward transformations</em>, 1999) as long as nothing is
 * discounted. {@code balanced}: the mean of this and of minus the machines' mean idle time before their last operation, in percent
 * of the same.
 *
 * <p>A saved state, big-endian; the episode is played again from its seed:
 * <pre>
 *   byte  0      8                8 + steps
 *         | long | byte[steps]    |
 *         | seed | slots chosen   |
 * </pre>
 */
public final class JobShopEnvironment implements Environment {
    /** The number of slots, and of actions. */
    public static final int SLOTS = 10;

    private final LongFunction<Shop> shops;
    private final boolean balanced;
    private final Box observationSpace = Observation.space(SLOTS);
    private final Discrete actionSpace = new Discrete(SLOTS);
    private final boolean[] mask = new boolean[SLOTS];
    private final int[] slots = new int[SLOTS];
    private long seed;
    private Shop shop;
    private Outlook outlook;
    private Observation observation;
    private byte[] chosen;
    private int steps;
    private int costedBound;
    private int costedIdleTime;

    /**
     * Creates an environment.
     *
     * @param shops opens the shop of an episode from its seed
     * @param balanced whether idle time counts, too
     */
    JobShopEnvironment(LongFunction<Shop> shops, boolean balanced) {
        this.shops = shops;
        this.balanced = balanced;
        open(0);
    }

    /**
     * Creates an environment whose episodes are all the same instance, rewarded by {@code time}.
     *
     * @param instance what to schedule
     * @param delay how long machines may wait, in [0, 1]; see the parameter {@code delay}
     * @return an environment
     */
    public static JobShopEnvironment of(JobShopInstance instance, double delay) {
        return new JobShopEnvironment(seed -> new Shop(instance, Breakdowns.none(instance.machines()), delay), false);
    }

    @Override
    public Space observationSpace() {
        return observationSpace;
    }

    @Override
    public Space actionSpace() {
        return actionSpace;
    }

    @Override
    public float[] reset(long newSeed) {
        open(newSeed);
        return observe();
    }

    private void open(long newSeed) {
        seed = newSeed;
        shop = shops.apply(seed);
        outlook = new Outlook(shop);
        observation = new Observation(shop, outlook);
        chosen = new byte[shop.left()];
        steps = 0;
        costedBound = outlook.bound();
        costedIdleTime = 0;
        // An episode has one step at least.
        while (shop.candidateCount() == 1 && shop.left() > 1) {
            dispatch(shop.candidate(0));
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the slot is masked
     */
    @Override
    public Step step(Action action) {
        int slot = action.index();
        if (!mask[slot]) {
            throw new IllegalArgumentException(
                    "slot " + slot + " must hold a job that can be dispatched, but is empty");
        }
        chosen[steps++] = (byte) slot;
        dispatch(slots[slot]);
        while (shop.candidateCount() == 1) {
            dispatch(shop.candidate(0));
        }
        return new Step(observe(), -100 * cost() / outlook.firstBound(), shop.isFinished(), false);
    }

    private void dispatch(int job) {
        int operation = shop.next(job);
        shop.dispatch(job);
        outlook.dispatched(operation);
    }

    private double cost() {
        double time = outlook.bound() - costedBound;
        double idleTime =
                (double) (shop.idleTime() - costedIdleTime) / shop.instance().machines();
        costedBound = outlook.bound();
        costedIdleTime = shop.idleTime();
        return balanced ? (time + idleTime) / 2 : time;
    }

    private float[] observe() {
        float[] features = new float[observationSpace.size()];
        int count = fillSlots();
        for (int slot = 0; slot < SLOTS; slot++) {
            mask[slot] = slot < count;
        }
        if (count > 0) {
            observation.write(slots, count, features);
        }
        return features;
    }

    /** Returns how many slots have a job. Insertion sort: there are few candidates, and equals keep the order of their numbers. */
    private int fillSlots() {
        int count = 0;
        for (int i = 0; i < shop.candidateCount(); i++) {
            int job = shop.candidate(i);
            int slot = count;
            while (slot > 0 && outlook.slack(slots[slot - 1]) > outlook.slack(job)) {
                slot--;
            }
            if (slot < SLOTS) {
                count = Math.min(count + 1, SLOTS);
                System.arraycopy(slots, slot, slots, slot + 1, count - 1 - slot);
                slots[slot] = job;
            }
        }
        return count;
    }

    @Override
    public boolean[] actionMask() {
        return mask;
    }

    @Override
    public byte[] saveState() {
        return ByteBuffer.allocate(Long.BYTES + steps)
                .putLong(seed)
                .put(chosen, 0, steps)
                .array();
    }

    @Override
    public void restoreState(byte[] state) {
        ByteBuffer buffer = ByteBuffer.wrap(state);
        reset(buffer.getLong());
        while (buffer.hasRemaining()) {
            step(Action.of(buffer.get()));
        }
    }

    /**
     * Returns the lower bound of the makespan before anything was scheduled in this episode.
     *
     * @return what returns are relative to
     */
    public int firstBound() {
        return outlook.firstBound();
    }

    /**
     * Returns what has been scheduled in this episode.
     *
     * @return whole after a step that terminated the episode
     */
    public Schedule schedule() {
        return shop.schedule();
    }
}
