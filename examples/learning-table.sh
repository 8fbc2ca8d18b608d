#!/bin/sh
# Trains the default profiles of the example environments with several seeds and writes what they reach to a folder, beside published
# results. Arguments, all optional: the folder (from the root of the repository), docs/results/classic/java if not given; the number
# of seeds, 5; the backend, java; environments, all that have a row in the table.
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
