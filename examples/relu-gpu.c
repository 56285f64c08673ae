// A thread of a GPU computes four elements.
__attribute__((nvptx_kernel)) void relu(const float *restrict x,
                                        float *restrict y) {
  long thread = (long)__nvvm_read_ptx_sreg_ctaid_x() *
                    __nvvm_read_ptx_sreg_ntid_x() +
                __nvvm_read_ptx_sreg_tid_x();
  for (long i = 4 * thread; i < 4 * thread + 4; i++)
    y[i] = x[i] > 0 ? x[i] : 0;
}
