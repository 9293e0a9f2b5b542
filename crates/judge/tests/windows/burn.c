// Uses CPU time, for scripts/test-platforms: burn PROCESSES SECONDS. Each of the processes uses so many seconds, and the first
// one waits for the others. `burn 0 0` starts a process that never ends, and never ends itself.
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static double used(void) {
    FILETIME created, ended, kernel, user;
    GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user);
    ULARGE_INTEGER both[2] = {{.LowPart = kernel.dwLowDateTime, .HighPart = kernel.dwHighDateTime},
                              {.LowPart = user.dwLowDateTime, .HighPart = user.dwHighDateTime}};
    return (both[0].QuadPart + both[1].QuadPart) / 1e7;
}

static HANDLE start(const char *program, const char *words) {
    char line[1024];
    STARTUPINFOA info = {.cb = sizeof info};
    PROCESS_INFORMATION process;
    snprintf(line, sizeof line, "\"%s\" %s", program, words);
    if (!CreateProcessA(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &info, &process)) exit(3);
    return process.hProcess;
}

int main(int count, char **words) {
    int processes = count > 1 ? atoi(words[1]) : 1;
    double seconds = count > 2 ? atof(words[2]) : 1;
    char own[MAX_PATH], line[64];
    GetModuleFileNameA(NULL, own, sizeof own);
    if (processes == 0) {
        if (count == 3) start(own, "0 0 child");
        for (;;) Sleep(50);
    }
    if (processes > 1) {
        HANDLE others[64];
        snprintf(line, sizeof line, "1 %s", words[2]);
        for (int other = 1; other < processes && other < 64; other++) others[other] = start(own, line);
        for (int other = 1; other < processes && other < 64; other++) WaitForSingleObject(others[other], INFINITE);
        seconds += used();
    }
    volatile unsigned sum = 0;
    while (used() < seconds)
        for (int step = 0; step < 100000; step++) sum += step;
    printf("burnt %.3f\n", used());
    return 0;
}
