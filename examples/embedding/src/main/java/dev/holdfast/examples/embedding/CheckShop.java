package dev.holdfast.examples.embedding;

import dev.holdfast.rl.api.environment.EnvironmentChecker;

/** Says what is wrong with {@link Shop}. */
public final class CheckShop {
    private CheckShop() {}

    /**
     * Runs the example.
     *
     * @param args none
     */
    public static void main(String[] args) {
        System.out.println(EnvironmentChecker.check(Shop::new));
    }
}
