/* A check that does not always tell the truth: the failure shows while the file has every line that begins with '!'.
   MISSED of 1,000 runs on a failing file do not show it, and INVENTED of 1,000 runs on another show one all the same.
   The file LOG grows by a byte with each run; where that byte is and SEED make the random number, so that runs at the
   same moment have each their own. */
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

static uint64_t mixed(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

int main(int argc, char **argv) {
    static char buffer[1 << 16];
    long needed = 0;
    ssize_t size;
    int file = open(argv[argc - 1], O_RDONLY);
    while ((size = read(file, buffer, sizeof buffer)) > 0)
        for (ssize_t i = 0; i < size; i++) needed += buffer[i] == '!';
    int log = open(LOG, O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (write(log, "x", 1) != 1) return 125;
    unsigned chance = mixed(mixed(SEED) ^ (uint64_t)lseek(log, 0, SEEK_CUR)) % 1000;
    int fails = needed == NEEDED;
    if (fails ? chance < MISSED : chance < INVENTED) fails = !fails;
    return fails ? 0 : 1;
}
