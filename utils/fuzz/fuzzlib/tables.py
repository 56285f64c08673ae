"""Elements of small tables by bytes or bits of them: one table or one a row, rows of one length
or of several, what is read stored, added up or worked on."""
from .simple import Flat

# What an element of A says of a table, and how many entries that has.
INDICES = [("unsigned char", "A[{at}]", 256), ("signed char", "A[{at}] + 128", 256),
           ("unsigned char", "A[{at}] & 15", 16), ("unsigned char", "A[{at}] >> 4", 16),
           ("unsigned char", "(A[{at}] >> 2) & 15", 16), ("unsigned char", "A[{at}] & 3", 4)]

BYTE, FLOAT = ("unsigned char", "i8"), ("float", "f32")


def tables(rnd):
    ctype, index, entries = rnd.choice(INDICES)
    elem = rnd.choice([BYTE, FLOAT]) if entries <= 16 else BYTE
    idx = rnd.choice(["int", "int", "long"])
    rows = rnd.random() < 0.6
    pitch = rnd.choice(["3*N", "N + 64", "N + 64", "130"])
    end = rnd.choice([pitch, pitch, pitch + " - i", "i + 1 < %s ? i + 1 : %s" % (pitch, pitch)])
    names = ["M", "N"] if rows and "N" in pitch else ["M"]
    own = rows and rnd.random() < 0.3
    at = "i*(%s) + j" % pitch if rows else "i"
    read = "T[%s%s]" % ("i*%d + " % entries if own else "", index.format(at=at))
    work = rnd.choice(["C[{at}] = {read};", "C[{at}] = {read};", "C[{at}] = {read} + 1;",
                       "if ({read} > 3) C[{at}] = {read};", "S[{sum}] += {read};"])
    work = work.format(at=at, read=read, sum="i" if rows else "0")
    if rows:
        body = ("for (IDX i = 0; i < M; i++) {{ for (IDX j = 0; j < (%s); j++) {{ %s }} }}" %
                (end, work))
    else:
        body = "for (IDX i = 0; i < 9*M; i++) {{ %s }}" % work

    def extent(M=0, N=0):
        if not rows:
            return 9 * M
        return M * {"3*N": 3 * N, "N + 64": N + 64, "130": 130}[pitch]

    arrays = {"A": (extent, (ctype, "i8")),
              "T": (lambda M=0, N=0: entries * (max(M, 1) if own else 1), elem)}
    if "C[" in body:
        arrays["C"] = (extent, elem)
    if "S[" in body:
        arrays["S"] = (lambda M=0, N=0: max(M, 1), elem)
    return Flat(rnd, "i32", idx, names, arrays, body, rules=("exact",), limit=1500).made
