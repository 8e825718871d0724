/* A check that does next to nothing: exits with 0 while the file has as many '!' as NEEDED says.
   Appends to the file LOG when it began and ended, on the monotonic clock, in nanoseconds. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv) {
    long long began = now();
    static char buffer[1 << 16];
    long count = 0;
    ssize_t size;
    int file = open(argv[argc - 1], O_RDONLY);
    while ((size = read(file, buffer, sizeof buffer)) > 0)
        for (ssize_t i = 0; i < size; i++) count += buffer[i] == '!';
    char line[64];
    int length = snprintf(line, sizeof line, "%lld %lld\n", began, now());
    int log = open(LOG, O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (write(log, line, length) != length) return 125;
    return count == NEEDED ? 0 : 1;
}
