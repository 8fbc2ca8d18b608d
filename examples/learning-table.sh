#!/bin/sh
# Trains the default profiles of the example environments with seeds 0 to 9 (a few minutes) and writes what they reach to
# docs/results/learning-foundation. Arguments, all optional: another folder (from the root of the repository), the number of seeds,
# another backend.
set -e
cd "$(dirname "$0")/.."
case ${3:-java} in
  java) profile= ;;
  *) profile=-P$3 ;;
esac
# shellcheck disable=SC2086  # nothing if it is empty
mvn -B -ntp -q -Dquick $profile -pl examples/launcher -am package
exec java -Djava.awt.headless=true --add-modules jdk.incubator.vector -cp examples/launcher/target/holdfast/holdfast.jar \
  dev.holdfast.examples.benchmark.LearningTable "$@"
