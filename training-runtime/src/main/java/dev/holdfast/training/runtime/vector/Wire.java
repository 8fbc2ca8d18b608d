package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How the trainer and its workers write what doesn't fit into the shared memory. Both are of the same build. */
final class Wire {
    private Wire() {}

    static void writeSource(DataOutputStream out, EnvironmentSource.Named source) throws IOException {
        text(out, source.provider());
        EnvironmentOptions options = source.options();
        out.writeInt(options.arguments().size());
        for (Map.Entry<String, String> argument : options.arguments().entrySet()) {
            text(out, argument.getKey());
            text(out, argument.getValue());
        }
        out.writeInt(options.problem());
        out.writeInt(options.stage());
        text(out, options.rewardProfile());
    }

    static EnvironmentSource.Named readSource(DataInputStream in) throws IOException {
        String provider = text(in);
        Map<String, String> arguments = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            arguments.put(text(in), text(in));
        }
        return new EnvironmentSource.Named(
                provider, new EnvironmentOptions(arguments, in.readInt(), in.readInt(), text(in)));
    }

    static void writeSpace(DataOutputStream out, Space space) throws IOException {
        if (space instanceof Box box) {
            out.writeByte('B');
            integers(out, box.shape());
            floats(out, box.low());
            floats(out, box.high());
        } else if (space instanceof Discrete discrete) {
            out.writeByte('D');
            out.writeInt(discrete.n());
        } else if (space instanceof MultiDiscrete multi) {
            out.writeByte('M');
            integers(out, multi.branches());
        } else if (space instanceof ConditionalDiscrete conditional) {
            out.writeByte('C');
            integers(out, conditional.choices().branches());
            integers(out, conditional.parents());
        } else {
            out.writeByte('b');
            out.writeInt(((MultiBinary) space).n());
        }
    }

    static Space readSpace(DataInputStream in) throws IOException {
        byte type = in.readByte();
        return switch (type) {
            case 'B' -> new Box(integers(in), floats(in), floats(in));
            case 'D' -> new Discrete(in.readInt());
            case 'M' -> new MultiDiscrete(integers(in));
            case 'C' -> new ConditionalDiscrete(new MultiDiscrete(integers(in)), integers(in));
            case 'b' -> new MultiBinary(in.readInt());
            default -> throw new IOException("a space's type must be B, D, M, C or b, but was " + type);
        };
    }

    static void writeStates(DataOutputStream out, List<EnvironmentState> states) throws IOException {
        out.writeInt(states.size());
        for (EnvironmentState state : states) {
            out.writeInt(state.seeds().length);
            for (long seed : state.seeds()) {
                out.writeLong(seed);
            }
            out.writeLong(state.steps());
            byte[] saved = state.state();
            out.writeInt(saved == null ? -1 : saved.length);
            if (saved != null) {
                out.write(saved);
            }
        }
    }

    static List<EnvironmentState> readStates(DataInputStream in) throws IOException {
        List<EnvironmentState> states = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            long[] seeds = new long[in.readInt()];
            for (int i = 0; i < seeds.length; i++) {
                seeds[i] = in.readLong();
            }
            long steps = in.readLong();
            int length = in.readInt();
            states.add(new EnvironmentState(seeds, length < 0 ? null : in.readNBytes(length), steps));
        }
        return states;
    }

    /** Not writeUTF, which ends at 65,535 bytes. */
    static void text(DataOutputStream out, String text) throws IOException {
        out.writeInt(text.length());
        out.writeChars(text);
    }

    static String text(DataInputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int left = in.readInt(); left > 0; left--) {
            text.append(in.readChar());
        }
        return text.toString();
    }

    static void floats(DataOutputStream out, float[] values) throws IOException {
        out.writeInt(values.length);
        for (float value : values) {
            out.writeFloat(value);
        }
    }

    static float[] floats(DataInputStream in) throws IOException {
        float[] values = new float[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readFloat();
        }
        return values;
    }

    private static void integers(DataOutputStream out, int[] values) throws IOException {
        out.writeInt(values.length);
        for (int value : values) {
            out.writeInt(value);
        }
    }

    private static int[] integers(DataInputStream in) throws IOException {
        int[] values = new int[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readInt();
        }
        return values;
    }
}
