# Writes the digest of the file FROM to the header TO.
file(SHA256 ${FROM} digest)
file(WRITE ${TO} "#define DLOPT_PLUGIN_DIGEST \"${digest}\"\n")
