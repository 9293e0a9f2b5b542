// Squirrels: the empty square of the largest value. Start your own agent from here.
// g++ -O2 -std=c++17 -o agent agent.cpp
#include <fstream>
#include <string>
#include <vector>
using namespace std;
using Board = vector<string>;  // column x, row y: board[y][x]

struct Move { int x, y; };

const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

char at(const Board& board, int x, int y) { return x < 0 || y < 0 || x > 4 || y > 4 ? '#' : board[y][x]; }

// All legal moves of either side on a board: the empty squares.
vector<Move> legal_moves(const Board& board) {
  vector<Move> found;
  for (int y = 0; y < 5; y++)
    for (int x = 0; x < 5; x++)
      if (board[y][x] == '*') found.push_back({x, y});
  return found;
}

bool is_raid(const Board& board, char side, Move m) {
  for (auto [dx, dy] : ways)
    if (at(board, m.x + dx, m.y + dy) == side) return true;
  return false;
}

// The board after a move.
Board play(const Board& board, char side, Move m) {
  Board after = board;
  after[m.y][m.x] = side;
  for (auto [dx, dy] : ways) {
    char there = at(board, m.x + dx, m.y + dy);
    if (is_raid(board, side, m) && (there == 'X' || there == 'O')) after[m.y + dy][m.x + dx] = side;
  }
  return after;
}

int main() {
  ifstream input("input.txt");
  string control, side;
  double seconds;  // CPU seconds: for this move (SINGLE) or for the whole game (GAME); a search has to keep to them
  input >> control >> side >> seconds;
  int values[5][5];  // of the square x,y: values[y][x]
  for (auto& row : values)
    for (int& value : row) input >> value;
  Board board(5);
  for (string& row : board) {
    input >> row;
    for (char& c : row) c = c == '.' ? '*' : c;
  }
  Move best = {-1, -1};
  for (Move m : legal_moves(board))
    if (best.x < 0 || values[m.y][m.x] > values[best.y][best.x]) best = m;
  ofstream output("output.txt", ios::binary);
  output << char('A' + best.x) << best.y + 1 << (is_raid(board, side[0], best) ? " Raid\n" : " Sneak\n");
  for (const string& row : play(board, side[0], best)) output << row << '\n';
}
