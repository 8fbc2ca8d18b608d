package dev.holdfast.examples.environments.assignment;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How a decision is written as an action. The last choice of a ship, or of all in {@link #FLAT}, is to wait.
 *
 * <p>Berths that a ship fits into, and the cranes that can work on it, depend on the ship and not on each other.
 */
enum ActionForm {
    /** First the ship, then the berth and the cranes, with a mask for each ship: all that is valid, and nothing else. */
    CONDITIONAL {
        @Override
        Space space(Port port) {
            return conditional(port);
        }

        @Override
        boolean[] mask(Quay quay) {
            Port port = quay.port();
            int ships = port.ships().size();
            int berths = port.berths().size();
            ConditionalDiscrete space = conditional(port);
            boolean[] mask = new boolean[space.maskSize()];
            for (int ship = 0; ship < ships; ship++) {
                for (int berth = 0; berth < berths; berth++) {
                    boolean fits = quay.fits(ship, berth);
                    mask[ship] |= fits;
                    mask[space.start(1) + ship * berths + berth] = fits;
                }
                int cranes = space.start(2) + ship * port.cranes();
                Arrays.fill(mask, cranes, cranes + quay.mostCranes(ship), true);
            }
            mask[ships] = quay.canWait();
            // Whoever waits has one berth and one number of cranes to choose from, which mean nothing.
            mask[space.start(1) + ships * berths] = true;
            mask[space.start(2) + ships * port.cranes()] = true;
            return mask;
        }

        @Override
        Decision decision(Action action, Port port) {
            return new Decision(action.index(0), action.index(1), action.index(2) + 1);
        }
    },

    /** The same three choices with one mask each: what is valid for some ship, so that choices may not fit together. */
    INDEPENDENT {
        @Override
        Space space(Port port) {
            return conditional(port).choices();
        }

        @Override
        boolean[] mask(Quay quay) {
            Port port = quay.port();
            int ships = port.ships().size();
            int berths = port.berths().size();
            boolean[] mask = new boolean[space(port).featureSize()];
            for (int ship = 0; ship < ships; ship++) {
                for (int berth = 0; berth < berths; berth++) {
                    if (quay.fits(ship, berth)) {
                        mask[ship] = true;
                        mask[ships + 1 + berth] = true;
                        int cranes = ships + 1 + berths;
                        Arrays.fill(mask, cranes, cranes + quay.mostCranes(ship), true);
                    }
                }
            }
            mask[ships] = quay.canWait();
            return mask;
        }

        @Override
        Decision decision(Action action, Port port) {
            return CONDITIONAL.decision(action, port);
        }
    },

    /** One choice among all combinations of ship, berth and cranes. */
    FLAT {
        @Override
        Space space(Port port) {
            return new Discrete(port.ships().size() * port.berths().size() * port.cranes() + 1);
        }

        @Override
        boolean[] mask(Quay quay) {
            Port port = quay.port();
            int berths = port.berths().size();
            boolean[] mask = new boolean[space(port).featureSize()];
            for (int ship = 0; ship < port.ships().size(); ship++) {
                for (int berth = 0; berth < berths; berth++) {
                    int start = (ship * berths + berth) * port.cranes();
                    Arrays.fill(mask, start, start + (quay.fits(ship, berth) ? quay.mostCranes(ship) : 0), true);
                }
            }
            mask[mask.length - 1] = quay.canWait();
            return mask;
        }

        @Override
        Decision decision(Action action, Port port) {
            int pair = action.index() / port.cranes();
            int berths = port.berths().size();
            return new Decision(pair / berths, pair % berths, action.index() % port.cranes() + 1);
        }
    };

    abstract Space space(Port port);

    abstract boolean[] mask(Quay quay);

    abstract Decision decision(Action action, Port port);

    static List<String> names() {
        return Arrays.stream(values()).map(ActionForm::text).toList();
    }

    static ActionForm named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static ConditionalDiscrete conditional(Port port) {
        return new ConditionalDiscrete(
                new MultiDiscrete(port.ships().size() + 1, port.berths().size(), port.cranes()), -1, 0, 0);
    }
}
