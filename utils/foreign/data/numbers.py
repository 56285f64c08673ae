#!/usr/bin/env python3
"""Random but fixed inputs for other people's programs.

llama2   checkpoint of llama2.c in its first format (DIM HIDDEN LAYERS HEADS
         SEQUENCE), and tokenizer.bin beside it
kann     two tables, OUT.x and OUT.y, for its networks (ROWS COLUMNS OUTPUTS)
pcm      16-bit samples (COUNT)
wav      the same, one channel at 16 kHz
text     words (COUNT), in lines with a label of fastText's in front
"""
import argparse
import array
import math
import os
import random
import struct
import wave

VOCABULARY = 512


def floats(count, scale):
    return array.array("f", (random.uniform(-scale, scale) for _ in range(count)))


def llama2(out, dim, hidden, layers, heads, sequence):
    ones = array.array("f", [1.0])
    parts = [struct.pack("7i", dim, hidden, layers, heads, heads, -VOCABULARY,
                         sequence)]
    attention = [floats(layers * dim * dim, dim ** -0.5) for _ in range(4)]
    parts += [floats(VOCABULARY * dim, 1.0), ones * (layers * dim), *attention,
              ones * (layers * dim), floats(layers * dim * hidden, dim ** -0.5),
              floats(layers * hidden * dim, hidden ** -0.5),
              floats(layers * dim * hidden, dim ** -0.5), ones * dim]
    angles = [p / 10000 ** (2 * i * heads / dim) for p in range(sequence)
              for i in range(dim // heads // 2)]
    parts += [array.array("f", map(math.cos, angles)),
              array.array("f", map(math.sin, angles)), floats(VOCABULARY * dim, 1.0)]
    with open(out, "wb") as f:
        for part in parts:
            f.write(part)
    with open(os.path.join(os.path.dirname(out), "tokenizer.bin"), "wb") as f:
        f.write(struct.pack("i", 8))
        for i in range(VOCABULARY):
            token = bytes([i]) if 32 <= i < 127 else b" %d" % i
            f.write(struct.pack("fi", -i, len(token)) + token)


def kann(out, rows, columns, outputs):
    with open(out + ".x", "w") as x, open(out + ".y", "w") as y:
        for row in range(rows):
            numbers = [random.random() for _ in range(columns)]
            winner = int(sum(numbers)) % outputs
            x.write("\t".join(["r%d" % row, *("%.5f" % n for n in numbers)]) + "\n")
            y.write("\t".join(["r%d" % row, *(
                str(int(o == winner)) for o in range(outputs))]) + "\n")


def samples(count):
    return array.array("h", (int(9000 * math.sin(i / 9) + random.gauss(0, 900))
                             for i in range(count)))


def pcm(out, count):
    with open(out, "wb") as f:
        samples(count).tofile(f)


def wav(out, count):
    with wave.open(out, "wb") as f:
        f.setparams((1, 2, 16000, count, "NONE", ""))
        f.writeframes(samples(count).tobytes())


def text(out, count):
    with open(out, "w") as f:
        for _ in range(count // 12):
            label = random.randrange(4)
            words = (label + 4 * int(random.paretovariate(0.7)) % 800
                     for _ in range(12))
            f.write("__label__%d %s\n" % (label, " ".join("w%d" % w for w in words)))


def main():
    kinds = {"llama2": llama2, "kann": kann, "pcm": pcm, "wav": wav,
             "text": text}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("out", help="the file to write")
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER")
    args = parser.parse_args()
    random.seed(1)
    kinds[args.kind](os.path.abspath(args.out), *args.numbers)


if __name__ == "__main__":
    main()
