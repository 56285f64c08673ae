"""What a run of the fuzzer found, as a file, and such files of all shards together.

Shards are parts of the batches of one run, so what is kept of a shard is what
dl-fuzz said of each batch: counted together, that is what the run would have counted.
"""
import json

FORM = "dl-fuzz results 1"
# What has to be the same, in the order in which differences are told. Batches are the
# number of them that were planned, of all shards: other versions of the rows plan others.
SAME = ("seed", "instances", "first", "rows", "kernels", "runs", "check", "inject",
        "cpus", "batches")


class Unfit(Exception):
    """Files that are not all the shards of one run: a line for whoever merges them."""


def save(stream, run, shard, seconds, lines, errors):
    """\\p lines are (number of the batch, line of dl-fuzz)."""
    json.dump({"form": FORM, "run": run, "shard": list(shard), "seconds": seconds,
               "errors": errors, "lines": lines}, stream)
    stream.write("\n")


def load(path):
    try:
        with open(path) as f:
            result = json.load(f)
    except OSError as e:
        raise Unfit("%s: %s" % (path, e.strerror)) from e
    except ValueError:
        result = None
    if not isinstance(result, dict) or result.get("form") != FORM:
        raise Unfit("%s: not what --save writes when a run has ended" % path)
    return result


def load_all(paths):
    """The files' contents, by the number of the shard."""
    results = {}
    names = {}
    first = None
    for path in paths:
        result = load(path)
        first = first or result
        for key in SAME:
            here, there = result["run"][key], first["run"][key]
            if here != there:
                raise Unfit("%s and %s are of two runs: %s %s and %s" % (
                    paths[0], path, key, there, here))
        index, number = result["shard"]
        if number != first["shard"][1]:
            raise Unfit("%s and %s are of two runs: shards of %d and of %d" % (
                paths[0], path, first["shard"][1], number))
        if index in results:
            raise Unfit("%s and %s are both shard %d/%d" % (names[index], path, index,
                                                            number))
        results[index], names[index] = result, path
    number = first["shard"][1]
    missing = ["%d/%d" % (i, number) for i in range(1, number + 1) if i not in results]
    if missing:
        raise Unfit("no results of shard " + ", ".join(missing))
    return [results[i] for i in sorted(results)]
