// Squirrels: the empty square of the largest value. Start your own agent from here.
// g++ -O2 -std=c++17 -o agent agent.cpp
#include <ctime>
#include <fstream>
#include <string>
#include <vector>
using namespace std;

const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
vector<string> board(5);  // column x, row y: board[y][x]
int values[5][5];         // values[y][x]

char at(int x, int y) { return x < 0 || y < 0 || x > 4 || y > 4 ? '#' : board[y][x]; }

int main() {
  ifstream input("input.txt");
  string control, side;
  double seconds;  // CPU seconds: for this move (SINGLE) or for the whole game (GAME)
  input >> control >> side >> seconds;
  for (auto& row : values)
    for (int& value : row) input >> value;
  for (string& row : board) {
    input >> row;
    for (char& c : row) c = c == '.' ? '*' : c;
  }
  int x = -1, y = -1;
  for (int b = 0; b < 5; b++)
    for (int a = 0; a < 5; a++) {
      if (x >= 0 && clock() > seconds / 50 * CLOCKS_PER_SEC) break;  // play what has been found
      if (board[b][a] == '*' && (x < 0 || values[b][a] > values[y][x])) x = a, y = b;
    }
  bool raid = false;
  for (auto [dx, dy] : ways) raid = raid || at(x + dx, y + dy) == side[0];
  for (auto [dx, dy] : ways) {
    char there = at(x + dx, y + dy);
    if (raid && (there == 'X' || there == 'O')) board[y + dy][x + dx] = side[0];
  }
  board[y][x] = side[0];
  ofstream output("output.txt");
  output << char('A' + x) << y + 1 << (raid ? " Raid\n" : " Sneak\n");
  for (string& row : board) output << row << '\n';
}
