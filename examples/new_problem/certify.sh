#!/bin/sh
# Computes the reference of new-problem in 113 bits and stores it in the folder `reference`. Commands find it there with
#   export MBSBENCH_REFERENCE_DIR=<this folder>/reference
set -e
cd "$(dirname "$0")"
mkdir -p reference
MBSBENCH_REFERENCE_DIR=$PWD/reference "${MBSBENCH:-mbsbench}" certify new-problem.json --recompute --write
