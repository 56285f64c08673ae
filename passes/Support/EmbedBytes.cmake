# Writes the bytes of FROM into TO as numbers with commas, to be included in an array.
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${TO} "${bytes}\n")
