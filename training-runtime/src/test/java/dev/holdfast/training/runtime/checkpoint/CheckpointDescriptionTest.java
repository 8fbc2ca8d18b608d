package dev.holdfast.training.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckpointDescriptionTest {
    @Test
    void theTextTellsWhatThereIs() {
        // Parameter i of 18 is i / 8 - 1: the first tensor holds -1, -0.875, -0.75, -0.625, of mean -0.8125 and norm
        // sqrt(2.71875).
        assertThat(new CheckpointDescription(ExampleArchive.checkpoint()).lines())
                .containsExactly(
                        "network",
                        "  observation space    Box(own bounds per element, [2])",
                        "  action space         Discrete(3), masked",
                        "  shared layers        []",
                        "  policy layers        [2]",
                        "  value layers         []",
                        "  activation           tanh",
                        "  parameters           18",
                        "  weights                            shape                   min          max         mean         norm",
                        "  mlp_extractor.policy_net.0.weight  [2, 2]              -1.0000     -0.62500     -0.81250       1.6489",
                        "  mlp_extractor.policy_net.0.bias    [2]                -0.50000     -0.37500     -0.43750      0.62500",
                        "  action_net.weight                  [3, 2]             -0.25000      0.37500     0.062500      0.54486",
                        "  action_net.bias                    [3]                 0.50000      0.75000      0.62500       1.0969",
                        "  value_net.weight                   [1, 2]              0.87500       1.0000      0.93750       1.3288",
                        "  value_net.bias                     [1]                  1.1250       1.1250       1.1250       1.1250",
                        "progress",
                        "  timesteps            20",
                        "  start_timesteps      8",
                        "  total_timesteps      16",
                        "  remaining            0.25",
                        "  iterations           1",
                        "  n_updates            5",
                        "  gradient_steps       10",
                        "  phase                collect",
                        "  step                 2",
                        "  epoch                0",
                        "  mini_batch           0",
                        "hyperparameters now",
                        "  n_steps              4",
                        "  batch_size           4",
                        "  n_epochs             5",
                        "  gamma                0.98",
                        "  gae_lambda           0.75",
                        "  learning_rate        0.125",
                        "  clip_range           0.15625",
                        "  ent_coef             0.01",
                        "  vf_coef              0.5",
                        "  max_grad_norm        0.75",
                        "  clip_range_vf        0.5",
                        "  normalize_advantage  true",
                        "  target_kl            0.03",
                        "schedules",
                        "  learning_rate        linear(0.5)",
                        "  clip_range           linear(0.25,0.125)",
                        "  clip_range_vf        0.5",
                        "normalisation",
                        "  obs_rms.mean         [2]",
                        "  obs_rms.var          [2]",
                        "  obs_rms.epsilon_clip [2]",
                        "to resume",
                        "  2 environments Example-v1 of the spaces above",
                        "  1 environments saved no state: they start new episodes, and the old ones are truncated",
                        "  goes on in phase collect with 4 samples collected",
                        "  the last bits are equal only on the machine and versions under provenance",
                        "settings",
                        "  env                  Example-v1",
                        "  envs                 2",
                        "  seed                 7",
                        "provenance",
                        "  backend              java",
                        "  kernel               scalar",
                        "  library              0.1.0");
    }

    @Test
    void theJsonHoldsTheSame() throws Exception {
        JsonNode json = new ObjectMapper().readTree(new CheckpointDescription(ExampleArchive.checkpoint()).json());
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly(
                        "observation_space",
                        "action_space",
                        "masked",
                        "shared_layers",
                        "policy_layers",
                        "value_layers",
                        "activation",
                        "parameters",
                        "weights",
                        "progress",
                        "hyperparameters",
                        "schedules",
                        "normalizer",
                        "resume",
                        "settings",
                        "provenance");
        assertThat(json.get("weights").get(0).get("name").textValue()).isEqualTo("mlp_extractor.policy_net.0.weight");
        assertThat(json.get("weights").get(0).get("mean").doubleValue()).isEqualTo(-0.8125);
        assertThat(json.get("hyperparameters").get("learning_rate").doubleValue())
                .isEqualTo(0.125);
        assertThat(json.get("progress").get("timesteps").longValue()).isEqualTo(20);
    }

    @Test
    void tellsWhatMustBePassedAgainAndWhatCantBeResumed() {
        PpoHyperparameters d = PpoHyperparameters.DEFAULTS;
        Checkpoint custom = Fixtures.checkpoint(
                64,
                Fixtures.network(),
                new PpoHyperparameters(8, 4, 3, 1, 1, r -> r / 8, d.clipRange(), null, 0, 0.5, 0.5, true, null));
        assertThat(new CheckpointDescription(custom).lines())
                .contains(
                        "  learning_rate        0.03125",
                        "  learning_rate        custom",
                        "  learning_rate was a schedule written in Java: it must be passed again");

        Checkpoint weights =
                Fixtures.withEnvironments(Fixtures.withState(custom, List.of(), List.of()), Map.of(), List.of());
        assertThat(new CheckpointDescription(weights).lines())
                .contains("  none", "  holds no environments: it can act and start another run, but not be resumed");
    }
}
