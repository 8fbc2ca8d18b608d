#!/bin/sh
# Trains the default profiles of the example environments with seeds 0 to 9 (a few minutes) and writes what they reach to
# docs/results/learning-foundation. Arguments, both optional: another folder (from the root of the repository), the number of seeds.
set -e
cd "$(dirname "$0")/.."
mvn -B -ntp -q -Dquick -pl examples/launcher -am package
exec java -Djava.awt.headless=true --add-modules jdk.incubator.vector -cp examples/launcher/target/holdfast/holdfast.jar \
  dev.holdfast.examples.benchmark.LearningTable "$@"
