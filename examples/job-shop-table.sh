#!/bin/sh
# Trains policies for the job shop, compares them with dispatching rules on public and random instances (about half an hour on two
# processors), and writes what they reach to docs/results/job-shop. Arguments, all optional: another folder (from the root of the
# repository), the number of general policies.
set -e
cd "$(dirname "$0")/.."
mvn -B -ntp -q -Dquick -pl examples/launcher -am package
exec java -Djava.awt.headless=true --add-modules jdk.incubator.vector -cp examples/launcher/target/holdfast/holdfast.jar \
  dev.holdfast.examples.benchmark.jobshop.JobShopTable "$@"
