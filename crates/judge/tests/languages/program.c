/* Threads, a file, a page of code made at run time, and a child; then the agent plays. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static void *work(void *unused) {
    (void)unused;
    volatile long sum = 0;
    for (long i = 0; i < 1000000; i++) sum += i;
    free(malloc(100000));
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[8];
    if (count < 2) return 2;
    for (int i = 0; i < 8; i++) if (pthread_create(&threads[i], NULL, work, NULL)) return 3;
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
    FILE *file = fopen("own", "w");
    if (!file || fputs("x", file) < 0 || fclose(file) || remove("own")) return 4;
    void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) return 5;
    munmap(code, 4096);
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    if (system("true")) return 6;
    execl(words[1], words[1], "--depth", "1", (char *)NULL);
    return 7;
}
