enum { SIZE = 128 };
void linear(const float *restrict In, const float *restrict Weight,
            float *restrict Out);
void means(float *restrict Y, const float *restrict X);
