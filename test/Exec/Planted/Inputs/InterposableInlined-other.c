float times(float a, float b) { return a * b + 1; }
