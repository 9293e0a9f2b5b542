// Wolves and Sheep: a legal move, eating where it can. Start your own agent from here.
// g++ -O2 -std=c++17 -o agent agent.cpp
#include <algorithm>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <vector>
using namespace std;

struct Move { char kind; int x, y, to_x, to_y; };

vector<string> rows(5);  // the square x,y is rows[y][x]

char at(int x, int y) { return x < 0 || y < 0 || x > 4 || y > 4 ? '#' : rows[y][x]; }

int main() {
  ifstream input("input.txt");
  string control, side;
  double seconds;  // CPU seconds: for this move (SINGLE) or for the whole game (GAME)
  input >> control >> side >> seconds;
  for (string& row : rows) {
    input >> row;
    for (char& c : row) c = c == '2' ? 'W' : c == '1' ? 'S' : c == '0' ? '.' : c;
  }
  const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  vector<Move> legal;
  for (int y = 0; y < 5; y++)
    for (int x = 0; x < 5; x++) {
      if (rows[y][x] != side[0]) continue;
      for (auto [dx, dy] : ways) {
        if (at(x + dx, y + dy) != '.') continue;
        legal.push_back({'E', x, y, x + dx, y + dy});
        // A wolf eats a sheep two squares away, over an empty square.
        if (side == "WOLVES" && at(x + 2 * dx, y + 2 * dy) == 'S') legal.push_back({'J', x, y, x + 2 * dx, y + 2 * dy});
      }
    }
  shuffle(legal.begin(), legal.end(), mt19937(random_device()()));
  Move best = legal[0];
  for (Move m : legal) {
    if (m.kind == 'J') best = m;
    if (clock() > seconds / 50 * CLOCKS_PER_SEC) break;  // stop early and play what has been found
  }
  ofstream output("output.txt");
  output << best.kind << ' ' << best.x << ',' << best.y << ' ' << best.to_x << ',' << best.to_y << '\n';
}
