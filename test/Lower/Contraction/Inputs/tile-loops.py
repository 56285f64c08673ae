"""Lists the loops of one block in an assembly file that multiply vectors.

For each: how many vector multiplications (fused or not), how many additions
alone, how many accesses to the stack. Reads the file named on the command line.
"""
import re
import sys

LABEL = re.compile(r"^([.\w$]+):")
BRANCH = re.compile(r"^\s+(?:j[a-z]+|b\.[a-z]+|cbn?z\s+\w+,)\s+([.\w$]+)\s*(?:#.*|//.*)?$")
MULTIPLY = re.compile(r"^\s+(?:v?f?n?madd[0-9]*p[sd]|v?mulp[sd]|vfmadd[0-9]*p[sd]|fml[as]\s+[vz]|fmad\s+z|fmul\s+[vz])")
ADD = re.compile(r"^\s+(?:v?addp[sd]|fadd\s+[vz])")
STACK = re.compile(r"\(%rsp|\[sp|-byte (?:Folded )?(?:Spill|Reload)")

label, body = None, []
with open(sys.argv[1]) as assembly:
    for line in assembly:
        found = LABEL.match(line)
        if found:
            label, body = found.group(1), []
            continue
        body.append(line)
        branch = BRANCH.match(line)
        if not branch:
            continue
        if branch.group(1) == label:
            count = [sum(1 for i in body if p.search(i))
                     for p in (MULTIPLY, ADD)]
            stack = sum(1 for i in body if STACK.search(i))
            if count[0]:
                print("loop: %d multiply, %d add, %d stack" % (*count, stack))
        body = []
        label = None
