// Plays the moves of AIAlgorithm() in {file} by input.txt and output.txt.
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/stat.h>

#define main main_of_the_submission
#include "{file}"
#undef main

int main() {
    std::ifstream input("input.txt");
    std::string control, side, seconds, row;
    input >> control >> side >> seconds;
    char state[] = "round0/state_0.txt";
    if (side == "SHEEP") state[13] = '1';
    mkdir("round0", 0755);
    std::ofstream board(state);
    while (input >> row)
        for (std::size_t x = 0; x < row.size(); x++) {
            char digit = row[x] == 'W' ? '2' : row[x] == 'S' ? '1' : row[x] == '.' ? '0' : row[x];
            board << digit << (x + 1 < row.size() ? ',' : '\n');
        }
    board.close();
    auto answer = AIAlgorithm(state, side == "WOLVES");
    int y = answer[0], x = answer[1], to_y = answer[2], to_x = answer[3];
    bool eats = std::abs(to_x - x) + std::abs(to_y - y) == 2;
    std::ofstream("output.txt") << (eats ? "J " : "E ") << x << ',' << y << ' ' << to_x << ',' << to_y << '\n';
}
