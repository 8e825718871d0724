#include <stdio.h>

/* Adds up 1/n by the compensated summation of Kahan, and tells what is lost without it. */
int main(void)
{
    volatile float one = 1.0f;
    float sum = 0.0f, lost = 0.0f;
    for (int n = 1; n <= 1000000; n++) {
        float term = one / (float)n - lost;
        float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    printf("%.4f\n", sum);
    return 0;
}
