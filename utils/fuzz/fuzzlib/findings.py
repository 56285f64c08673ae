"""Running a batch, and what is kept of a finding."""
import os
import re
import shutil
import subprocess

EMIT = ["-w", "-O2", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names",
        "-emit-llvm"]


def compile_kernels(batch, source, output, args, more=()):
    """An empty string, or what clang said."""
    path = os.path.splitext(output)[0] + ".c"
    with open(path, "w") as f:
        f.write(source)
    command = [os.path.join(args.llvm, "clang"), *EMIT, *batch.flags, *more, "-c", path,
               "-o", output]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    return "" if done.returncode == 0 else " ".join(command) + "\n" + done.stdout


def run_batch(batch, folder, args):
    """What dl-fuzz prints, or an error."""
    module = os.path.join(folder, "batch.bc")
    text = os.path.join(folder, "batch.txt")
    wrong = compile_kernels(batch, batch.source(), module, args)
    if wrong:
        return "clang failed: " + wrong
    with open(text, "w") as f:
        f.write(batch.text())
    command = [args.tool, "--plugin=" + args.plugin, module, text,
               "--run-seconds=%d" % args.run_seconds]
    if args.inject:
        command.append("--inject=" + args.inject)
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, timeout=1800)
    except subprocess.TimeoutExpired:
        return "dl-fuzz did not end in 30 minutes"
    if done.returncode not in (0, 1):
        return "dl-fuzz: exit status %d: %s" % (done.returncode,
                                                done.stderr or done.stdout)
    return done.stdout


class Finding:
    """A line "finding TYPE row= kernel= instance= config= variant= what="."""

    def __init__(self, line):
        self.line = line
        match = re.match(r"finding (\S+) row=(\S+) kernel=(\S+) instance=(\d+) "
                         r"config=(\S+) variant=(\S+) what=(.*)", line)
        (self.type, self.row, self.kernel, _, self.config, self.variant,
         self.what) = match.groups()
        run = re.search(r"(run \d.*)$", self.what)
        self.run = run.group(1) if run else None

    def key(self):
        return self.type, self.row

    def keep(self, batch, args):
        """Writes what reproduces it to a folder of its own, and reduces it."""
        folder = os.path.join(args.keep, "seed%d-batch%d-%s-%s" % (
            batch.seed, batch.number, self.kernel, self.type))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        at = lambda name: os.path.join(folder, name)
        if self.kernel == "-":
            source, text = batch.source(), batch.text()
        else:
            source = batch.source(self.kernel)
            text = batch.extract(self.kernel, self.run, self.config,
                                      None if self.variant == "-" else self.variant)
        with open(at("batch.txt"), "w") as f:
            f.write(text)
        compile_kernels(batch, source, at("kernel.ll"), args, ["-S"])
        inject = " --inject=" + args.inject if args.inject else ""
        # A fault that is found means "interesting" to llvm-reduce; what is not
        # right without the plugin is not.
        command = "%s --plugin=%s%s" % (os.path.abspath(args.tool),
                                        os.path.abspath(args.plugin), inject)
        self.write_script(at("reproduce.sh"),
                          'cd "$(dirname "$0")" && %s kernel.ll batch.txt' % command)
        # The last interesting module is kept: llvm-reduce may be stopped.
        self.write_script(
            at("interesting.sh"),
            '%s "$1" "%s" 2>/dev/null | grep -q "^finding %s " && cp "$1" "%s"' % (
                command, os.path.abspath(at("batch.txt")), self.type,
                os.path.abspath(at("reduced.ll"))))
        with open(at("finding.txt"), "w") as f:
            f.write("flags: %s\n%s\n" % (" ".join(batch.flags), self.line))
        if not args.no_reduce:
            self.reduce(folder, args)
        return folder

    @staticmethod
    def write_script(path, command):
        with open(path, "w") as f:
            f.write("#!/bin/sh\n%s\n" % command)
        os.chmod(path, 0o755)

    @staticmethod
    def reduce(folder, args):
        """kernel.ll by llvm-reduce to reduced.ll, as far as time allows."""
        command = [os.path.join(args.llvm, "llvm-reduce"), "--test=./interesting.sh",
                   "-o", "last.ll", "kernel.ll"]
        try:
            subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=args.reduce_seconds)
        except (OSError, subprocess.TimeoutExpired):
            pass
