package dev.holdfast.training.runtime;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/** Splits the time of the training thread among activities. */
final class Stopwatch {
    private final LongSupplier nanoTime;
    private final Map<Activity, long[]> nanos = new EnumMap<>(Activity.class);
    private long last;

    Stopwatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        for (Activity activity : Activity.values()) {
            nanos.put(activity, new long[1]);
        }
        last = nanoTime.getAsLong();
    }

    /** Says that the time since the last call was not spent on any activity. */
    void skip() {
        last = nanoTime.getAsLong();
    }

    /** Says that the time since the last call was spent on an activity. */
    void spent(Activity activity) {
        long now = nanoTime.getAsLong();
        Objects.requireNonNull(nanos.get(activity))[0] += now - last;
        last = now;
    }

    Map<Activity, Duration> shares() {
        Map<Activity, Duration> shares = new EnumMap<>(Activity.class);
        nanos.forEach((activity, sum) -> shares.put(activity, Duration.ofNanos(sum[0])));
        return shares;
    }
}
