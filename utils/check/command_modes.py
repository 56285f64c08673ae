# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How check_commands.py runs the commands of the documentation.

A command without a row runs as it is, and has to succeed within five minutes. A new
command that takes longer, or has placeholders, gets a row: the first whose pattern
matches all of the command counts. Groups of the pattern are \\1, \\2 in `instead` and
`expect`.
"""
import re
from typing import NamedTuple, Optional, Tuple


class Mode(NamedTuple):
    pattern: str                     # of the whole command, blanks being single ones
    add: str = ""                    # short mode: more arguments behind the command
    instead: Optional[str] = None    # short mode: another command
    expect: Tuple[str, ...] = ()     # lines it must print, in this order (patterns)
    limit: int = 300                 # seconds
    needs: Optional[Tuple[str, str]] = None  # what must be there, and a test for it
    in_source: bool = False          # run in the source folder itself: it builds
    # Why the command is not run; if it is of this tree, its options are looked for
    # in its --help then.
    reason: Optional[str] = None


def has_avx2():
    try:
        with open("/proc/cpuinfo") as f:
            return {"avx2", "fma"} <= set(f.read().split())
    except OSError:
        return False


BITS = r"DLOpt has the bits of clang -O3|Bits not compared"
TABLE = r"^\| M x N x K .*\| +DLOpt"
BENCH = dict(add="--quick --peers=none", expect=(BITS, TABLE, r"^\| .*GFLOP/s"))
REMARK = r"remark: .*matmul\.\w+ f32"
PLUGIN = "build/lib/libDLOpt.so"
# What must be there, and a test for it.
X86 = ("an x86-64", "uname -m | grep -qE 'x86_64|amd64'")
NUMPY = ("an x86-64 and numpy", X86[1] + " && python3 -c 'import numpy'")
FLANG = ("flang-22", "command -v flang-22")
MLIR = ("mlir-opt-22", "command -v mlir-opt-22 && command -v mlir-translate-22")
LLD = ("lld-22", "command -v ld.lld-22")
RUSTC = ("a rustc of LLVM 22", "rustc -vV | grep -q 'LLVM version: 22'")
BOTH = ("plugins for LLVM 19 and 22", "test -e build-19/lib/libDLOpt.so && test -e " + PLUGIN +
        " && command -v clang-19")
VIEWER = ("PyYAML and Pygments", "python3 -c 'import yaml, pygments'")
FUZZED = (r"^instances [1-9]\d*, kernels [1-9]\d*, transformed [1-9]\d*, "
          r"mismatches 0, crashes 0,",)
PASSED = (r"^[1-9]\d* passed, 0 failed$",)
HOURS = "builds LLVM, which takes hours"

MODES = (
    # -- for another LLVM --
    Mode(r"scripts/(?:build|test|setup) --llvm=19", reason=".ci/run runs it"),
    Mode(r"utils/check/compare_versions\.py .*", needs=BOTH, add="examples/gemm.c",
         expect=(r"^[1-9]\d* remarks are the same, 0 differ as known, 0 differ;",)),
    Mode(r"clang-19 -fplugin=.*", needs=BOTH, expect=(REMARK,),
         add="-O3 -march=native -Rpass=dl- -c examples/gemm.c -o gemm.o"),
    Mode(r".*opt-viewer\.py .*", needs=VIEWER),
    Mode(r"llvm-remarkutil-22 count .*", expect=(r"^linear,[1-9]",)),
    Mode(r"llvm-dwarfdump-22 --name=.*", expect=(r"DW_AT_name.*matmul\.nn of linear, mlp\.c:\d+",)),
    # -- scripts/ --
    # What builds runs in the source folder, also where a row is of no use.
    Mode(r"scripts/demo.*", in_source=True,
         add="--no-setup --size 512" + (" --min-speedup 10" if has_avx2() else ""),
         expect=(r"^\| program ", r"^\| gemm\.c ", r"\+ DLOpt .*x \| +equal \|$",
                 r"^\| mlp\.c ", r"\+ DLOpt .*x \| +equal \|$", r"^peak: \d",
                 REMARK)),
    Mode(r"scripts/(?:build |test --preset=)(\w+)",
         instead="cmake --list-presets", expect=(r'"\1"',)),
    Mode(r"scripts/build.*", in_source=True, instead="scripts/build"),
    Mode(r"scripts/test -Dexec_shapes=500", in_source=True,
         instead="scripts/test --no-setup -Dexec_shapes=20 --filter=Exec/programs",
         expect=PASSED),
    Mode(r"scripts/test.*", in_source=True, expect=PASSED,
         instead="scripts/test --no-setup --filter=Plugin/errors"),
    Mode(r"scripts/check", in_source=True, expect=PASSED,
         instead="scripts/check --filter=Plugin/errors"),
    Mode(r"scripts/setup(?: .*)?", add="--dry-run"),
    Mode(r"scripts/bench --quick", expect=(BITS, TABLE)),
    Mode(r"scripts/bench --peers=pypi.*", reason="downloads 2 GB"),
    Mode(r"scripts/bench --readme", add="--quick --peers=none",
         # Where the line breaks depends on the CPU's name.
         expect=(r"\b22\.\d", r"^\| M x N x K \| DLOpt \|")),
    Mode(r"scripts/bench --(?:all|march=haswell|sse2).*", needs=X86, **BENCH),
    Mode(r"scripts/bench --sizes=small", add="--quick --rounds=1",
         expect=(r"shapes from 1 to 64", r"^slower by more")),
    Mode(r"scripts/bench --sizes=forms", add="--quick --filter='^vla' --shape 48x48x48",
         expect=(r"^\| vla ",)),
    Mode(r"scripts/bench --shape \d+x\d+x\d+", **dict(BENCH, instead=(
        "scripts/bench --shape 24x60x36 --quick --peers=none"), add="")),
    Mode(r"scripts/bench(?: .*)?", **BENCH),
    Mode(r"scripts/compile-time", add="--only kernels --repeat 1 --kernels 6",
         expect=(r"6 naive matrix products, [1-6] transformed",)),
    Mode(r"scripts/foreign", reason="hours on two cores"),
    Mode(r"scripts/foreign csmith --seeds \S+",
         instead="scripts/foreign csmith --seeds 1-2",
         needs=("csmith", "test -e /usr/include/csmith"),
         expect=(r"^foreign: 0 findings",)),
    Mode(r"scripts/foreign .*", reason="downloads sources"),

    # -- utils/ --
    Mode(r"utils/census/dl-census examples/.*", expect=(
        r"^kernels by kind ", r"^matmul\.nn f32 +[1-9]", r"^examples/gemm\.c ",
        r"^2 files: [1-9]")),
    Mode(r"utils/census/dl-census --diff .*", expect=(r"^0 lost, \d+ new$",)),
    Mode(r"utils/census/dl-census", add="--help", expect=(r"^usage: dl-census",)),
    Mode(r"utils/dl-measure/dl-measure examples/gemm\.c .*", add="-- -march=native", needs=X86,
         instead="utils/dl-measure/dl-measure --seconds=0.05 --function=matmul examples/gemm.c",
         expect=(r"^matmul ", r"results +equal bits$", r"times as fast",
                 r"^1 function: 1 measured, 0 with wrong results")),
    Mode(r"utils/dl-measure/dl-measure examples/mlp\.c", needs=X86,
         instead="utils/dl-measure/dl-measure --no-time --function=linear examples/mlp.c",
         expect=(r"^linear ", r"results +equal bits$")),
    Mode(r"utils/dl-report/dl-report examples/mlp\.c", add="-o mlp.html",
         expect=(r"^mlp\.html: [1-9]\d* loops of 1 files",)),
    Mode(r"utils/dl-report/dl-report .*", expect=(
        r"^\w+\.html: [1-9]\d* loops of 1 files, [1-9]\d* KB",)),
    Mode(r"utils/bench/(?:loops|networks)\.py", add="--rounds 1",
         expect=(r"^\| kernel|^\| part", r"^\| .*\d+\.\d+")),
    Mode(r"utils/bench/bounds\.py", add="--rounds 1"),
    Mode(r"utils/bench/layouts\.py", add="--runs 1 --part six",
         expect=(r"^\| DLOpt \| \d",)),
    # test/Exec/layouts.test does more.
    Mode(r"utils/fuzz/layouts\.py(?: --networks \d+)?", needs=X86,
         instead="utils/fuzz/layouts.py --networks 20 --batch 20",
         expect=(r"different 0$",)),
    Mode(r"utils/bench/maps\.py", add="--rounds 1", expect=(r"^exp ",)),
    Mode(r"utils/bench/rows\.py", add="--rounds 1 --only cross_entropy",
         expect=(r"^cross_entropy .*exact \d.* clang \d",)),
    Mode(r"utils/bench/windows\.py(?: .*)?",
         instead="utils/bench/windows.py --rounds 1 --only 'maxpool_nchw 128'",
         expect=(r"^maxpool_nchw 128->128 7x7 3x3 s2 p1 .* us .* clang \d",)),
    Mode(r"utils/bench/narrow\.py(?: .*)?",
         instead="utils/bench/narrow.py --rounds 1 --suite layers --only depthwise",
         expect=(r"^depthwise_nhwc_s8 56x128x128 .* GOP/s .* clang \d",)),
    Mode(r"utils/bench/choices\.py(?: .*)?", needs=X86,
         instead="utils/bench/choices.py --scripts 4 --rounds 1 --random 0 "
                  "--only depthwise_nchw_576",
         expect=(r"^depthwise_nchw_576_\S+ .* us  chosen \d.* list \d", r"^chosen within 5%")),
    Mode(r"utils/bench/products\.py(?: .*)?", needs=X86,
         instead="utils/bench/products.py --rounds 1 --shape 33x17x70",
         expect=(r"^nn 33x17x70 .* us .* script \d", r"^nt: mean \d.* bytes")),
    Mode(r"utils/tune/tune\.py (.*)", add="--quick", needs=X86,
         expect=(r": 2 others, .* us, now .* us, x",
                 r"\d+ entr(?:y|ies) for this source, to try: --quick")),
    Mode(r"utils/bench/gate\.py(?: .*)?",
         instead="utils/bench/gate.py %s %s --short --suites maps" % (PLUGIN, PLUGIN),
         expect=(r"^2 cases, 2 same code, 0 slower, 0 faster,",)),
    Mode(r"utils/bench/forms\.py", add="--size 32 --rounds 1",
         expect=(r"^\| \w+ \| \d",)),
    Mode(r"utils/report/mca\.py", add="--cpu haswell",
         expect=(r"^\| haswell \| \d+ ",)),
    Mode(r"utils/report/mca\.py --cpu=neoverse-v1 --schedule .*",
         expect=(r"^\| neoverse-v1 \| \d+ ",)),
    Mode(r"utils/report/mca\.py .*", add="--cpu znver3",
         expect=(r"^\| znver3 \| \d+ ",)),
    Mode(r"utils/report/large_functions\.py",
         add="--short --only children --total 20 --repeat 1 --factor 20",
         expect=(r"^children ",)),
    Mode(r"utils/fuzz/fuzz\.py --check", expect=FUZZED,
         add="--instances 1 --kernels 8 --runs 4 --jobs 1 --no-expect"),
    Mode(r"utils/fuzz/fuzz\.py .*--shard \S+ (--save \S+)", expect=FUZZED,
         instead="utils/fuzz/fuzz.py --instances 1 --kernels 8 --runs 8 --jobs 1 "
                 r"--shard 1/1 \1"),
    Mode(r"utils/fuzz/fuzz\.py --merge \S+", expect=FUZZED),
    Mode(r"utils/fuzz/fuzz\.py(?: --short| --campaign.*)?",
         instead="utils/fuzz/fuzz.py --instances 1 --kernels 8 --runs 8 --jobs 1",
         expect=FUZZED),
    Mode(r"utils/fuzz/fuzz\.py .*(--rows \S+)", expect=FUZZED,
         instead=r"utils/fuzz/fuzz.py --instances 1 --kernels 8 --runs 8 --jobs 1 \1"),
    # Of measurements that are reported: do the rows exist?
    Mode(r"(fuzz|planted_bugs)\.py(?: --only)?(| .*)",
         instead=r"utils/fuzz/\1.py\2 --list", expect=(r"^\w",)),
    Mode(r"(utils/fuzz/planted_bugs\.py)(.*)", instead=r"\1\2 --list",
         expect=(r"^StepsDescending ",)),
    Mode(r"utils/fuzz/bisect_limit\.py -- COMMAND", expect=(r"^kernel number 3 ",),
         instead="utils/fuzz/bisect_limit.py -- sh -c 'test ${DLOPT_LIMIT:-99} -lt 3'"),
    Mode(r"utils/math/check\.py build", add="--targets sse2 --functions exp", needs=X86,
         expect=(r"^exp f32 1ulp sse2 0\.", r"^[1-9]\d* checked, 0 wrong$")),
    Mode(r"utils/math/check\.py build --full", reason="minutes for each function"),
    Mode(r"utils/math/probes\.py", add="TanhInFloat"),
    Mode(r"utils/math/probes\.py --check", add="--step 20011", limit=900,
         expect=(r"^[1-9]\d* probes, 0 wrong$",)),
    Mode(r"utils/math/models\.py", add="--step 9973",
         expect=(r"^\w+: [1-9]\d* inputs, 0 different$",)),
    Mode(r"utils/math/models\.py (--march=\S+) --full",
         instead=r"utils/math/models.py \1 --step 20011",
         expect=(r"^\w+: [1-9]\d* inputs, 0 different$",)),
    Mode(r"utils/math/values\.py", add="--step 9973"),
    Mode(r"utils/math/fit\.py", add="ExpF32Q3",
         needs=("sollya", "command -v sollya"), expect=(r"^DLOPT_MATH_POLY",)),
    Mode(r"utils/check/check_commands\.py build --list", expect=(
        r"^README\.md:\d+: scripts/demo$",)),
    Mode(r"utils/check/check_(?:teeth|help|unity|commands)\.py.*",
         reason="scripts/test runs it"),
    Mode(r"utils/check/check_schedules\.py", needs=X86,
         instead="utils/check/check_schedules.py test/Kernel/Schedules/softmax.kernel "
         "--param R=0..5 --param C=0..9 --array 'x=R*C' --array 'y=R*C' --cases 3 "
         "--opt 'opt-22 -load-pass-plugin=%s' --dl-kernels build/bin/dl-kernels "
         "--clang clang-22 --separate --output ./checked" % PLUGIN,
         expect=(r": [1-9]\d* runs, 0 different",)),
    Mode(r"lit-22 build/test/Count", instead="lit-22 build/test/Recognize --filter=arguments",
         expect=(r"Passed *: +1",)),
    Mode(r"utils/new_pass\.py(?: .*)?", instead="utils/new_pass.py --help",
         expect=(r"Begins a pass",)),
    Mode(r"utils/check/brute_force\.py",
         instead="utils/check/brute_force.py test/Proof/hull.ll",
         expect=(r"inputs agree$",)),
    Mode(r"utils/check/check_names\.py", add="--instances 2 --mutants 1 --names softmax",
         needs=NUMPY, expect=(r" 0 findings$",)),
    Mode(r"utils/check/check_verdicts\.py", needs=X86,
         add="examples/softmax.c", expect=(r" 0 silent, 0 two-faced$",)),
    Mode(r"utils/check/update_checks\.py test/X/case\.ll",
         instead="cp test/NoAlias/derived.ll case.ll && "
         "utils/check/update_checks.py case.ll && cp case.ll first.ll && "
         "utils/check/update_checks.py case.ll && cmp case.ll first.ll && cat case.ll",
         expect=(r"^; \w+-NEXT: ",)),

    # -- Builds and lit --
    Mode(r"ninja -C build check-dlopt", in_source=True,
         instead="ninja -n -C build check-dlopt", expect=(r"lit",)),
    Mode(r"/usr/lib/llvm-22/bin/lit build/test/Exec/Planted",
         add="--filter=Planted/StepsDescending", expect=(r"(Passed|Unsupported) *: +1 ",)),
    Mode(r"(?:/usr/lib/llvm-22/bin/)?lit (?:build-\w+/test\S*|--param mute=<name>)",
         reason="of another build"),
    Mode(r"cmake (?:--build )?--preset ([\w-]+).*", instead="cmake --list-presets",
         expect=(r'"\1"',)),
    Mode(r"DLOPT_LLVM_BIN=\S+ python3 utils/check/run_tests\.py .*",
         reason="needs another LLVM"),
    Mode(r"apt-get source .*|cmake -G Ninja -S llvm .*|ninja -C build install .*|"
         r"ln -s \.\./utils-lit/.*", reason=HOURS),

    # -- The plugin --
    Mode(r"(DLOPT_\w+=\S+)", instead=r"\1 clang-22 -O3 -fpass-plugin=" + PLUGIN +
         " -c examples/gemm.c -o gemm.o"),
    Mode(r"clang-22 .*-mllvm -dl-tuned=.*", expect=(r"remark: runs as .*tuned:\d+ says",)),
    Mode(r"(clang-22 -O3 -march=native -fpass-plugin=.*)(-o gemm && \./gemm)",
         instead=r"\1 -Rpass=dl-vectorize \2", expect=(REMARK, r"^GFLOP/s +\d")),
    Mode(r"(flang-22 .*)(-o gemm && \./gemm)", needs=FLANG,
         instead=r"\1 -Rpass=dl-vectorize \2", expect=(REMARK, r"^GFLOP/s +\d")),
    Mode(r"\./gemm(?: \d+)?", instead="./gemm 200", expect=(r"^GFLOP/s +\d",)),
    Mode(r"clang-22 .*--load-pass-plugin=.*&& \./gemm", needs=LLD,
         expect=(r"^GFLOP/s +\d",)),
    Mode(r"clang-22 .*-Rpass=dl-.* examples/gemm\.c", expect=(REMARK,)),
    Mode(r"clang-22 .*-Rpass-analysis=dl-schedule -c examples/conv\.c .*",
         expect=(r"remark: script packed:$", r"^split x X \d+ ")),
    Mode(r"(clang-22 -O3 -fpass-plugin=.* examples/conv\.c -o conv) && \./conv",
         instead=r"\1 && ./conv 8 28", expect=(r"^GFLOP/s +\d",)),
    Mode(r"opt-22 .*print<dl-fma>.* gemm\.ll",
         expect=(r"recurrence @main .*: 4 cycles, FusedByDefault: ",)),
    Mode(r"(opt-22 .*'dl<O3>' -S gemm\.ll)(?: -o \S+)?", instead=r"\1 -o -",
         expect=(r"call .*@dl\.matmul",)),
    Mode(r"(opt-22 .* -S gemm\.ll)(?: -o \S+)?", instead=r"\1 -o -",
         expect=(r"^define .*@matmul\(",)),
    Mode(r"mlir-opt-22 .* -o gemm\.bc", needs=MLIR, add="&& llvm-dis-22 gemm.bc -o -",
         expect=(r"call .*@dl\.matmul",)),
    Mode(r"cmake --install build --prefix .*",
         in_source=True, instead="cmake --install build --prefix build/installed && "
                                 "build/installed/bin/dlcc --dl-version",
         expect=(r"^plugin: /.*/installed/lib/dlopt/libDLOpt.so for LLVM .*\d",)),
    Mode(r"\(cd build && cpack .*\)", in_source=True,
         needs=("dpkg-deb", "command -v dpkg-deb"),
         expect=(r"package: .*/dlopt-\d+_.*\.deb generated",)),
    Mode(r"utils/package/wheel\.py build .*", in_source=True,
         instead="utils/package/wheel.py build -o build/packages",
         expect=(r"^build/packages/dlopt-.*\.whl$",)),
    # test/Wrappers/package.test simulates it.
    Mode(r"apt-get install \./dlopt.*", reason="installs packages"),
    # test/Wrappers/wheel.test does, into an environment of its own.
    Mode(r"pip install packages/dlopt-.*", reason="installs packages"),
    Mode(r"build/bin/dlcc .* -Rpass=dl- .*", expect=(REMARK,)),
    Mode(r"build/bin/dlcc --dl-version", expect=(r"^plugin: /.* for LLVM .*\d$", r"^compiler: /")),
    Mode(r"build/bin/dl-script-fuzz --dependences .*", add="--kernels 20",
         expect=(r"^0 wrong$",)),
    Mode(r"build/bin/dl-script-fuzz --sets .*", add="--kernels 400",
         expect=(r"^400 sets: .* 0 wrong",)),
    Mode(r"build/bin/dl-schedule-fuzz .* --print-ir", needs=X86),
    Mode(r"build/bin/dl-schedule-fuzz .*", add="--kernels 40", needs=X86,
         expect=(r"\b0 wrong",)),
    Mode(r"utils/check/check_dependences\.py.*",
         reason="test/Raise/dependences.test runs it"),
    Mode(r"build/bin/dl-script-fuzz .*", add="--kernels 40",
         expect=(r"^[1-9]\d* scripts, .*, 0 wrong$",)),
    Mode(r"opt-22 .*dl-transform<.*gemm\.bc", add="&& echo ok",
         expect=(r"remark: .*runs as examples/gemm\.script says", r"^ok$")),
    Mode(r"(clang-22 -O3 -march=native gemm\.bc -o gemm) && \./gemm", needs=X86,
         instead=r"\1 && ./gemm 200", expect=(r"^GFLOP/s +\d",)),
    Mode(r"opt-22 .*dl-transform<.* -S gemm\.ll -o -",
         expect=(r"call <8 x float> @llvm\.fmuladd\.v8f32",)),
    Mode(r"build/bin/dl-kernels .*-vl\.script .* --print C", expect=(r"^C: 76\.0 ",)),
    Mode(r"build/bin/dl-kernels .* --print C", expect=(r"^C: 13\.0 ",)),
    Mode(r"build/bin/dl-kernels .*relu.* --print y", expect=(r"^y: 0\.0 2\.0 0\.0 4\.0 0\.0",)),
    Mode(r"(?:time )?\./(?:scalar|vectors|relu)", expect=(r"^checksum 253892$",)),
    Mode(r"(?:time )?\./(?:plain|apart)", expect=(r"^checksum 3175440$",)),
    Mode(r"clang-22 .*-Rpass='dl-noalias\|loop-vectorize' examples/bytes\.c.*",
         expect=(r"bytes\.c:11:3: remark: loops that read 3 bounds",
                 r"bytes\.c:11:3: remark: vectorized loop")),
    Mode(r"clang-22 --target=nvptx64.*-Rpass=dl-vectorize.*",
         expect=(r"remark: relu f32, 4: exact, iterations of i in 1 vectors of 4",)),
    Mode(r"grep 'v4' vectors\.s", expect=(r"ld\.global\S*\.v4", r"st\.global\.v4")),
    Mode(r"grep 'x float' vectors\.ll", expect=(r"load <4 x float>", r"store <4 x float>")),
    Mode(r"build/bin/dl-kernels .* --check-dependences",
         expect=(r"^1 kernels: .* held against numbers [1-9]",)),
    Mode(r"build/bin/dl-kernels (?!--check).*",
         expect=(r"^kernel 0 @",)),
    # Parts of commands in the text.
    Mode(r"clang-22 [^|&]*-fpass-plugin=" + re.escape(PLUGIN) + r"(?: -[^ ]+)*",
         add="-Rpass=dl-vectorize examples/gemm.c -o gemm", expect=(REMARK,)),
    Mode(r"(opt-22) (-passes=[^|]*>')",
         instead="clang-22 -O1 -Xclang -disable-llvm-passes -S -emit-llvm "
         r"examples/gemm.c -o - | \1 -load-pass-plugin=" + PLUGIN +
         r" \2 -disable-output", expect=(r"^kernel 0 @matmul",)),
    Mode(r"RUSTC_BOOTSTRAP=1 rustc .* -C remark=.*", needs=RUSTC,
         expect=(r"gemm\.rs:\d+:\d+ dl-vectorize \(success\): matmul\.nn",)),
    Mode(r"RUSTC_BOOTSTRAP=1 rustc .*", needs=RUSTC, expect=(r"^GFLOP/s",)),
)


def fill_in(text, match, escape=lambda group: group):
    """Groups in place of their numbers; other escapes stay."""
    return re.sub(r"\\([1-9])", lambda number: escape(
        match.group(int(number.group(1))) or ""), text)


def find(command):
    """The mode of a command, and the command that is run."""
    for mode in MODES:
        match = re.fullmatch(mode.pattern, command)
        if match:
            short = fill_in(mode.instead, match) if mode.instead else command
            return mode._replace(expect=tuple(
                fill_in(e, match, re.escape) for e in mode.expect)), (
                    short + " " + mode.add).strip()
    return Mode(""), command


def describe(command):
    """What is done with a command, in words."""
    mode, short = find(command)
    if mode.reason:
        return "not run: " + mode.reason
    return "as it is" if short == command else short
