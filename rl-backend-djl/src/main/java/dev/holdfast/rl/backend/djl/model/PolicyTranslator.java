package dev.holdfast.rl.backend.djl.model;

import ai.djl.ndarray.NDList;
import ai.djl.translate.Translator;
import ai.djl.translate.TranslatorContext;
import dev.holdfast.rl.api.policy.Policy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What a policy does around its network.
 *
 * @param <I> an observation and what else its result depends on
 * @param <O> the result
 * @param policy its weights are not used
 * @param observation takes the observation out of an input
 * @param result makes the result of an input and the network's outputs for it
 */
record PolicyTranslator<I, O>(Policy policy, Function<I, float[]> observation, BiFunction<I, float[], O> result)
        implements Translator<I, O> {
    private static final String INPUTS = "inputs";

    @Override
    public NDList processInput(TranslatorContext context, I input) {
        inputs(context).add(input);
        return new NDList(context.getNDManager().create(policy.features(observation.apply(input))));
    }

    @Override
    public O processOutput(TranslatorContext context, NDList outputs) {
        return result.apply(inputs(context).remove(), outputs.singletonOrThrow().toFloatArray());
    }

    /** DJL hands over all inputs of a batch, and then the outputs in the same order, with one context. */
    @SuppressWarnings("unchecked")
    private Queue<I> inputs(TranslatorContext context) {
        Queue<I> inputs = (Queue<I>) context.getAttachment(INPUTS);
        if (inputs == null) {
            inputs = new ArrayDeque<>();
            context.setAttachment(INPUTS, inputs);
        }
        return inputs;
    }
}
