#!/bin/sh
/work/wt/plant/build-planted/bin/dl-fuzz --plugin=/work/wt/plant/build-planted/lib/libDLOpt.so "$1" "/work/wt/plant/fuzz-findings/seed1-batch0-k2-invalid/batch.txt" 2>/dev/null | grep -q "^finding invalid "
