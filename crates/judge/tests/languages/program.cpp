// Threads, files and random numbers; then the agent plays.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <thread>
#include <unistd.h>
#include <vector>

int main(int, char **words) {
    std::vector<std::future<long>> results;
    for (int i = 0; i < 8; i++)
        results.push_back(std::async(std::launch::async, [] {
            long sum = 0;
            for (long j = 0; j < 1000000; j++) sum += j % 7;
            return sum;
        }));
    for (auto &result : results) result.get();
    std::ofstream("own") << "x";
    std::filesystem::copy_file("own", "copied");
    std::filesystem::remove("own");
    std::filesystem::remove("copied");
    std::random_device random;
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + random() % 2));
    execl(words[1], words[1], "--depth", "1", static_cast<char *>(nullptr));
    return 1;
}
