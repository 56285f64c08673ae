"""Compares the attributes of generated functions with those of what they serve.

    attributes.py WORK-FOLDER COMPILER...

compiles the C program beside this script with each of clang's options below. A
generated function has all attributes of the function that it serves, and no others,
but for those that are about what a function does: they are listed here. So a new
option of clang is one line, and an attribute that is lost is a line of output.
"""
import os
import re
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attributes.c")

# About the body of a function, or about who may call it.
ABOUT_BODY = re.compile(
    r"noinline|alwaysinline|noduplicate|optsize|nounwind|willreturn|norecurse|nosync|"
    r"nofree|mustprogress|nocallback|memory\(.*|alignstack=\d+|"
    r'"no-builtins"|"min-legal-vector-width"=.*|"prefer-vector-width"=.*|"dl-.*')

X86, ARM = "--target=x86_64-linux-gnu -march=haswell", "--target=aarch64-linux-gnu"
KINDS = "dl.matmul.nn.", "dl.lanes.reduce.", "dl.no.zeros.", "dl.even.rows"
# What is asked for, and what the function then says (a regular expression).
OPTIONS = [
    (X86, "", ""),
    (X86, "-mno-red-zone", "noredzone"),
    (X86, "-mfunction-return=thunk-extern", "fn_ret_thunk_extern"),
    (X86, "-mretpoline", r"retpoline-indirect-calls"),
    (X86, "-mharden-sls=all", r"harden-sls-ret"),
    (X86, "-mlvi-hardening", r"lvi-cfi"),
    (X86, "-mspeculative-load-hardening", "speculative_load_hardening"),
    (X86, "-fcf-protection=full", ""),
    (X86, "-fcf-protection=full -DATTRIBUTE=nocf_check", "nocf_check"),
    (X86, "-fstack-protector", r"\bssp\b"),
    (X86, "-fstack-protector-strong", "sspstrong"),
    (X86, "-fstack-protector-all", "sspreq"),
    (X86, "-fstack-protector --param=ssp-buffer-size=4", r'"stack-protector-buffer-size"="4"'),
    (X86, "-fno-omit-frame-pointer", r'"frame-pointer"="all"'),
    (X86, "-momit-leaf-frame-pointer -fno-omit-frame-pointer", r'"frame-pointer"="non-leaf'),
    (X86, "-fzero-call-used-regs=used", r'"zero-call-used-regs"="used"'),
    (X86, "-fpatchable-function-entry=5,2", r'"patchable-function-(entry|prefix)"'),
    (X86, "-fms-hotpatch --target=x86_64-windows-msvc", r'"patchable-function"'),
    (X86, "-fdenormal-fp-math=preserve-sign", r"preserve-sign"),
    (X86, "-fdenormal-fp-math=dynamic", r"dynamic"),
    (X86, "-Xclang -fdenormal-fp-math-f32=positive-zero,positive-zero", r"positive-zero"),
    (X86, "-ffunction-sections", ""),
    (X86, "-DATTRIBUTE=section(\".init.text\")", r'section "\.init\.text"'),
    (X86, "-falign-functions=64", r"align 64"),
    (X86, "-fasynchronous-unwind-tables", r"uwtable(?!\()"),
    (X86, "-fno-asynchronous-unwind-tables -funwind-tables", r"uwtable\(sync\)"),
    (X86, "-fno-asynchronous-unwind-tables", r"^(?!.*uwtable)"),
    (X86, "-fstack-clash-protection -mstack-probe-size=8192", r'"probe-stack".*"stack-probe-size"'),
    (X86, "-mno-stack-arg-probe --target=x86_64-windows-msvc", r'"no-stack-arg-probe"'),
    (X86, "-fsplit-stack", r'"split-stack"'),
    (X86, "-mstackrealign", r'"stackrealign"'),
    (X86, "-mno-tls-direct-seg-refs", r'"indirect-tls-seg-refs"'),
    (X86, "-fsanitize=safe-stack", "safestack"),
    (X86, "-fno-delete-null-pointer-checks", "null_pointer_is_valid"),
    (X86, "-fno-jump-tables", r'"no-jump-tables"'),
    (X86, "-fno-optimize-sibling-calls", r'"disable-tail-calls"'),
    (X86, "-fno-plt", ""),
    (X86, "-mtune=znver3", r'"tune-cpu"="znver3"'),
    (X86, "-mprefer-vector-width=128", r'"prefer-vector-width"="128"'),
    (X86, "-fno-builtin", r'"no-builtins"'),
    (ARM, "", ""),
    (ARM, "-mbranch-protection=standard",
     r'"branch-target-enforcement".*"guarded-control-stack".*"sign-return-address"'),
    (ARM, "-mbranch-protection=pac-ret+b-key+leaf", r'"sign-return-address-key"="b_key"'),
    (ARM, "-mharden-sls=all", r"harden-sls-blr"),
    (ARM, "-mstrict-align", r"strict-align"),
    (ARM, "-fsanitize=shadow-call-stack -ffixed-x18", "shadowcallstack"),
    (ARM, "-mno-red-zone", ""),
    (ARM, "-march=armv8-a+sve -msve-vector-bits=256", r"vscale_range\(2,2\)"),
]
# Functions that are left alone, and why.
LEFT_ALONE = [
    (X86, "-mno-implicit-float", "may not use vector registers"),
    (X86, "-mgeneral-regs-only -DINTEGER", "no vector registers"),
    (ARM, "-mgeneral-regs-only -DINTEGER", "no vector registers"),
    (X86, "-DATTRIBUTE=preserve_all", "may not use vector registers"),
    (X86, "-DATTRIBUTE=no_caller_saved_registers", "may not use vector registers"),
]


def compile(compiler, target, options, work):
    out = os.path.join(work, "out.ll")
    command = (compiler + target.split() + options.split() +
               ["-w", "-O1", "-S", "-emit-llvm", "-Rpass=dl-", "-Rpass-missed=dl-",
                "-o", out, SOURCE])
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit("%s\n%s" % (" ".join(command), run.stderr))
    with open(out) as f:
        return f.read(), run.stderr


def functions(text):
    """Name -> (set of attributes, where its code is)."""
    groups = dict(re.findall(r"^attributes (#\d+) = \{ (.*) \}$", text, re.M))
    found = {}
    for name, rest in re.findall(r"^define [^@]*@\"?([\w.]+)\"?\((.*)\{$", text, re.M):
        group = re.search(r"\) .*?(#\d+)", rest)
        attributes = groups[group.group(1)] if group else ""
        place = re.findall(r'\bsection "[^"]*"|\balign \d+(?= *(?:!|\{|$))', rest)
        found[name] = (set(re.findall(
            r'"[^"]*"="[^"]*"|"[^"]*"|\w+\([^()]*\)|[^" ]\S*', attributes)), place)
    return found


def own(attributes):
    return {a for a in attributes if not ABOUT_BODY.fullmatch(a)}


def main():
    work, compiler = sys.argv[1], sys.argv[2:]
    os.makedirs(work, exist_ok=True)
    bad = 0
    for target, options, says in OPTIONS:
        text, _ = compile(compiler, target, options, work)
        all_functions = functions(text)
        served, generated = {}, {}
        for name, what in all_functions.items():
            (generated if name.startswith("dl.") else served)[name] = what
        wanted, place = served["product"]
        line = " ".join(sorted(wanted)) + " " + " ".join(place)
        if not re.search(says, line):
            bad += 1
            print("'%s': the function does not say %s: %s" % (options, says, line))
        if not all(any(name.startswith(kind) for name in generated) for kind in KINDS):
            bad += 1
            print("'%s': generated are only %s" % (options, sorted(generated)))
        for name, (attributes, where) in sorted(generated.items()):
            for lost in sorted(own(wanted) - own(attributes)):
                bad += 1
                print("'%s': @%s lacks %s" % (options, name, lost))
            for new in sorted(own(attributes) - own(wanted)):
                bad += 1
                print("'%s': @%s has %s" % (options, name, new))
            if where != place:
                bad += 1
                print("'%s': @%s is at %s, not %s" % (options, name, where, place))
    for target, options, why in LEFT_ALONE:
        text, remarks = compile(compiler, target, options, work)
        if "@dl." in text or why not in remarks:
            bad += 1
            print("'%s': not left alone because '%s'\n%s" % (options, why, remarks))
    print("%d options, %d differences" % (len(OPTIONS) + len(LEFT_ALONE), bad))


if __name__ == "__main__":
    main()
