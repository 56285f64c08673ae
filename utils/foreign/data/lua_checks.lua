-- What the interpreter's own files do, in one run: strings, tables, closures,
-- coroutines, the collector, numbers. Prints what it finds; the same for each build.
local function sum(t)
  local s = 0
  for _, v in ipairs(t) do s = s + v end
  return s
end

local words = {}
for i = 1, 2000 do words[i] = string.format("%05d-%s", i * 7919 % 10007, ("x"):rep(i % 7)) end
table.sort(words)
print(words[1], words[1000], words[2000], #table.concat(words, ","))
print(("the quick brown fox"):gsub("%w+", function(w) return w:reverse() end))
print(("a,b,,c"):find(",,", 1, true), ("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
for _, format in ipairs { "<i4", ">i4", "<d", ">d", ">I7", "=s4", "!8<i8" } do
  local packed = string.pack(format, format:find "s" and "text" or 77)
  print(format, packed:byte(1, -1))
  print(string.unpack(format, packed))
end
print(utf8.char(72, 228, 8364, 128512), utf8.len("häß€"), string.rep("ab", 3, "-"))

local a, b, c = {}, {}, {}
for i = 1, 40 do
  a[i], b[i], c[i] = {}, {}, {}
  for j = 1, 40 do a[i][j], b[i][j] = i - j, i * j % 17 end
end
for i = 1, 40 do
  for j = 1, 40 do
    local s = 0
    for k = 1, 40 do s = s + a[i][k] * b[k][j] end
    c[i][j] = s
  end
end
print(sum(c[7]), c[40][40])

local function producer(n)
  return coroutine.wrap(function() for i = 1, n do coroutine.yield(i * i) end end)
end
local t = {}
for v in producer(100) do t[#t + 1] = v end
print(#t, sum(t), select("#", table.unpack(t)))
table.move(t, 1, 50, 26)
table.remove(t, 10)
table.insert(t, 5, -1)
print(sum(t), t[5], t[75], #t)

local weak = setmetatable({}, { __mode = "v" })
for i = 1, 1000 do weak[i] = { i } end
collectgarbage()
print(next(weak), 7 // 2, -7 // 2, 7 % -3, 2 ^ 0.5, 1e15, 1 << 62, "10" + 5, math.maxinteger + 1)
print(pcall(error, { code = 1 }) == false, select(2, pcall(function() return nil + 1 end)))
print(load("local x <const> = 3; return x * ...")(14), string.dump(load "return 1"):sub(2, 4))
goto done
print "not reached"
::done::
print(os.time { year = 2020, month = 2, day = 29, hour = 12 } - os.time { year = 2019, month = 2, day = 28, hour = 12 })
