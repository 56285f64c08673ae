#!/bin/sh
cd "$(dirname "$0")" && /work/wt/plant/build-planted/bin/dl-fuzz --plugin=/work/wt/plant/build-planted/lib/libDLOpt.so kernel.ll batch.txt
