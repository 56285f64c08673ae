"""The programs that scripts/foreign builds and runs: one row each. Commands run in
bash, in a copy of the sources, with the compilers in $CC, $CXX and $FC, files of
ours in $DATA and $JOBS jobs."""
from sources import Debian, Folder, PyPI  # noqa: F401  (Folder: for other tables)


class Test:
    """A command that ends with status 0, prints `success` (a pattern) and writes
    `files` (patterns of names); `short`: little enough for each day's tests."""

    def __init__(self, command, success="", files=(), short=False, seconds=1800):
        self.command, self.success, self.files = command, success, files
        self.short, self.seconds = short, seconds


class Program:
    """Where a program comes from, how it is built and which tests it has. `noise`:
    patterns of what differs from run to run; `needs`: tools that it takes; `kernels`:
    with fewer transformed ones it tests nothing; `checked`: whether kernels can be
    checked as they run (they cannot be in freestanding code)."""

    def __init__(self, name, source, build, tests, flags=(), noise=(), needs=(),
                 kernels=1, checked=True):
        self.name, self.source, self.build, self.tests = name, source, build, tests
        self.flags, self.noise, self.needs = flags, noise, needs
        self.kernels, self.checked = kernels, checked


# A run of `$DATA/darknet_steps.c` on one of darknet's networks, with fewer examples.
def darknet(network, steps, edit):
    return Test("sed '%s' cfg/%s.cfg > now.cfg && ./steps now.cfg %d now.weights" % (
        edit, network, steps), "0x", ["now.weights"])


# One of tinygrad's test files, as plain loops with NOOPT; without its caches.
def tinygrad(name, more="NOOPT=1", hosted=True):
    return Test("CPU=1 CCACHE=0 CACHELEVEL=0 %s PYTHONPATH=.:deps python3 -m "
                "pytest -q -rfE --tb=no -p no:cacheprovider %s test/test_%s.py | sort | "
                "sed 's/ in [0-9].*//'" % (
                    more, "-p tinygrad_hosted" if hosted else "", name), "[0-9] passed")


# Options of LAPACK's makefiles, for compilers that keep what is local on the stack.
MAKE_INC = ("sed -e \"s|^FC .*|FC = $FC|\" -e \"s|^CC .*|CC = $CC|\" "
            "-e s/-frecursive// make.inc.example > make.inc")

TINYGRAD = ["python3 -m pip install -q --target deps numpy pytest hypothesis",
            "cp $DATA/tinygrad_hosted.py deps",
            "CPU=1 PYTHONPATH=. python3 -c 'import tinygrad'"]

PROGRAMS = [
    Program("darknet", Debian("darknet", "0.0.0+git20180914.61c9d02e"),
            ["mkdir -p obj && make -j$JOBS CC=$CC OPTS=-O3 libdarknet.a",
             "$CC -Iinclude $DATA/darknet_steps.c libdarknet.a -lm -lpthread -o steps"],
            [darknet("cifar", 2, "s/^batch=.*/batch=1/;s/=28$/=12/"),
             darknet("gru", 1, "s/^batch=.*/batch=4/;s/^time_steps=.*/time_steps=2/"
                     ";s/=1024/=64/"),
             darknet("resnet18", 1, "s/^batch=.*/batch=1/;s/^subdivisions=.*/"
                     "subdivisions=1/;s/=256$/=64/"),
             darknet("yolov3-tiny", 0, "s/=416/=64/")],
            noise=[r"[\d.]+ seconds"]),
    Program("llama2.c", PyPI("llamac2py", "0.1.4"),
            ["$CC run.c -lm -o run", "python3 $DATA/numbers.py llama2 m.bin 288 768 "
             "6 6 256", "python3 $DATA/numbers.py llama2 s.bin 64 176 2 8 128"],
            [Test("./run s.bin 0 128", "<s>", short=True),
             Test("./run m.bin 0 256 'Once upon a time'", "<s>")],
            noise=[r"achieved tok/s: [\d.]+"]),
    Program("tinygrad", PyPI("tinygrad", "0.11.0"), TINYGRAD,
            [tinygrad("tiny", "")] + [tinygrad(t) for t in (
                "tiny", "softmax_fusion", "opt_gemm", "specific_conv", "linalg")]),
    Program("tinygrad-freestanding", PyPI("tinygrad", "0.11.0"), TINYGRAD,
            [tinygrad("tiny", "", hosted=False), tinygrad("tiny", hosted=False)],
            checked=False),
    Program("genann", PyPI("cynn", "0.1.5"),
            ["cd thirdparty/genann && for p in test example1 example4; do "
             "$CC $p.c genann.c -lm -o $p; done"],
            [Test("cd thirdparty/genann && ./test", "ALL TESTS PASSED", short=True),
             Test("cd thirdparty/genann && ./example1", "Output", short=True),
             Test("cd thirdparty/genann && ./example4", "correct", short=True)],
            noise=[r" *\d+ms"]),
    Program("kann", PyPI("cynn", "0.1.5"),
            # It makes divisions by zero end the program: without -ftrapping-math no
            # compiler has to keep those that are not executed from being computed.
            ["sed -i 's/kad_trap_fe();//' thirdparty/kann/examples/*.c",
             "cd thirdparty/kann && make -j$JOBS CC=$CC all",
             "cd thirdparty/kann && python3 $DATA/numbers.py kann t 600 24 3",
             "cd thirdparty/kann && for i in $(seq 900); do echo $((i * 7 % 97)) "
             "$((i * 5 % 89)) $((i * 7 % 97 + i * 5 % 89)); done > bits"],
            [Test("cd thirdparty/kann && examples/mlp -m 8 -n 96 -o m.kan t.x t.y",
                  "epoch", ["thirdparty/kann/m.kan"]),
             Test("cd thirdparty/kann && examples/mlp -i m.kan t.x", "r599"),
             Test("cd thirdparty/kann && examples/rnn-bit -m 3 -n 48 -o r.kan bits",
                  "epoch", ["thirdparty/kann/r.kan"]),
             Test("cd thirdparty/kann && examples/ae -m 4 -n 32 -o a.kan t.x",
                  "epoch", ["thirdparty/kann/a.kan"])]),
    Program("blas", Debian("lapack", "3.11.0"), [MAKE_INC, "make -j$JOBS -C BLAS",
             "make -j$JOBS -C BLAS/TESTING"],
            [Test("cd BLAS/TESTING && for p in s d c z; do ./xblat1$p; for l in 2 3; "
                  "do ./xblat$l$p < ${p}blat$l.in; done; done; cat ?blat?.out",
                  "PASSED THE TESTS")], needs=["flang-22"]),
    Program("fann", Debian("libfann", "2.2.0+ds"),
            ["cd examples && for p in robot mushroom xor_train cascade_train "
             "steepness_train; do sed -i 's/, 3000, 10,/, 60, 10,/' $p.c; "
             "$CC -DFANN_NO_SEED -I../src/include $p.c ../src/floatfann.c -lm -o $p; "
             "done"],
            [Test("cd examples && ./%s" % p, "Cleaning up", [
                "examples/*.net"]) for p in ("robot", "mushroom", "xor_train")] +
            [Test("cd examples && ./cascade_train", "Cleaning up")]),
    Program("libsvm", Debian("libsvm", "3.24+ds"), ["make -j$JOBS CXX=$CXX"],
            [Test("for k in 0 1 2 3; do ./svm-train -t $k heart_scale m && "
                  "./svm-predict heart_scale m out && cat m out; done", "Accuracy",
                  short=True),
             Test("for s in 1 2 3 4; do ./svm-train -s $s heart_scale m && cat m; done",
                  "nSV|rho")]),
    Program("opus", Debian("opus", "1.3.1"),
            ["./configure --disable-shared --disable-asm --disable-rtcd "
             "--disable-intrinsics CC=$CC", "make -j$JOBS check TESTS=",
             "python3 $DATA/numbers.py pcm in.pcm 480000"],
            [Test("for t in celt/tests/test_unit_* silk/tests/test_unit_* "
                  "tests/test_opus_api tests/test_opus_padding "
                  "tests/test_opus_projection; do [ ! -x $t ] || SEED=1 $t; done", "OK"),
             Test("SEED=1 TEST_OPUS_NOFUZZ=1 tests/test_opus_decode", "soft_clip... OK"),
             Test("SEED=1 TEST_OPUS_NOFUZZ=1 tests/test_opus_encode", "successfully")] +
            [Test("./opus_demo %s 48000 1 %d in.pcm out.pcm" % m, "", ["out.pcm"])
             for m in (("voip", 12000), ("audio", 64000),
                       ("restricted-lowdelay", 96000))]),
    Program("speexdsp", Debian("speexdsp", "1.2.1"),
            ["./configure --disable-shared --disable-sse --enable-examples CC=$CC",
             "make -j$JOBS", "python3 $DATA/numbers.py pcm in.pcm 240000",
             "tail -c +2001 in.pcm > late.pcm"],
            [Test("libspeexdsp/testdenoise < in.pcm > out.pcm", "", ["out.pcm"]),
             Test("libspeexdsp/testresample < in.pcm > out.pcm", "", ["out.pcm"]),
             Test("libspeexdsp/testecho in.pcm late.pcm out.pcm", "", ["out.pcm"])]),
    Program("cminpack", Debian("cminpack", "1.3.6"),
            ["cmake -B b -DCMAKE_C_COMPILER=$CC -DUSE_BLAS=OFF -DBUILD_EXAMPLES=ON",
             "cmake --build b -j$JOBS"],
            [Test("cd b/examples && for t in ./t*c; do [ ! -x $t ] || $t; done",
                  "norm|residual")], needs=["cmake"]),
    Program("libsamplerate", Debian("libsamplerate", "0.2.2"),
            ["cmake -B b -DCMAKE_C_COMPILER=$CC -DLIBSAMPLERATE_EXAMPLES=OFF",
             "cmake --build b -j$JOBS"],
            [Test("for t in b/tests/*_test; do case $t in *throughput*) ;; *) $t;; "
                  "esac; done", "ok")], needs=["cmake"]),
    Program("word2vec", PyPI("word2vec", "0.11.1"),
            # Its table of a hundred million entries has a million here.
            ["cd word2vec/includes && sed -i 's/table_size = 1e8/table_size = 1e6/' "
             "word2vec.c && $CC word2vec.c -lm -lpthread -o word2vec",
             "python3 $DATA/numbers.py text words 60000"],
            [Test("word2vec/includes/word2vec -train words -output out -size 60 "
                  "-threads 1 -min-count 1 -iter 1 " + more, "Vocab size", ["out"])
             for more in ("-cbow 1 -negative 5", "-cbow 0 -negative 0 -hs 1")],
            noise=[r"Words/thread/sec: [\d.]+k"]),
    Program("fasttext", PyPI("fasttext", "0.9.3"),
            # One thread alone sets a tenth of the matrix that training begins with.
            ["sed -i 's:(m_ . n_) / 10:m_ * n_:' src/densematrix.cc",
             "$CXX -std=c++17 -pthread src/*.cc -o fasttext",
             "python3 $DATA/numbers.py text words 40000"],
            [Test("./fasttext %s -input words -output m -thread 1 -epoch 2 -dim 40 "
                  "-bucket 2000 -verbose 0 && %s" % (how, then), "",
                  ["m.bin", "m.vec"])
             for how, then in (
                 ("supervised", "./fasttext test m.bin words"),
                 ("supervised -loss hs -wordNgrams 2", "./fasttext test m.bin words"),
                 ("skipgram", "cut -d ' ' -f 2- words | "
                  "./fasttext print-sentence-vectors m.bin"))] +
            [Test("./fasttext supervised -input words -output m -thread 1 -dim 16 "
                  "-verbose 0 && ./fasttext quantize -output m -input words -qnorm "
                  "-thread 1 -verbose 0 && ./fasttext test m.ftz words", "P@1",
                  ["m.ftz"])]),
    Program("world", PyPI("pyworld", "0.3.5"),
            ["cd lib/World && $CXX -Isrc -Itools src/*.cpp tools/*.cpp test/test.cpp "
             "-o world", "python3 $DATA/numbers.py wav in.wav 16000"],
            [Test("lib/World/world in.wav out.wav 1.5 1.1", "complete", ["*out.wav"])],
            noise=[r"\d+ \[msec\]"]),
]
