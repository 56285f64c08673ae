"""A loop with STORES stores of a chain of LENGTH additions."""
import sys

stores, length = map(int, sys.argv[1:])
print("""define void @many(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %px = getelementptr float, ptr %x, i64 %i
  %v0 = load float, ptr %px""")
for k in range(length):
    print("  %%v%d = fadd float %%v%d, 1.0" % (k + 1, k))
for k in range(stores):
    print("  %%o%d = mul nsw i64 %%i, %d" % (k, stores))
    print("  %%k%d = add nsw i64 %%o%d, %d" % (k, k, k))
    print("  %%py%d = getelementptr float, ptr %%y, i64 %%k%d" % (k, k))
    print("  store float %%v%d, ptr %%py%d" % (length, k))
print("""  %next = add nsw i64 %i, 1
  br label %loop
exit:
  ret void
}""")
