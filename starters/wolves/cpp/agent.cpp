// Wolves and Sheep: a legal move, eating where it can. Start your own agent from here.
// g++ -O2 -std=c++17 -o agent agent.cpp
#include <algorithm>
#include <fstream>
#include <random>
#include <string>
#include <vector>
using namespace std;
using Board = vector<string>;  // the square x,y is board[y][x]: W, S or .

struct Move { char kind; int x, y, to_x, to_y; };

char at(const Board& board, int x, int y) { return x < 0 || y < 0 || x > 4 || y > 4 ? '#' : board[y][x]; }

// All legal moves of a side, W or S, on a board.
vector<Move> legal_moves(const Board& board, char side) {
  const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  vector<Move> found;
  for (int y = 0; y < 5; y++)
    for (int x = 0; x < 5; x++) {
      if (board[y][x] != side) continue;
      for (auto [dx, dy] : ways) {
        if (at(board, x + dx, y + dy) != '.') continue;
        found.push_back({'E', x, y, x + dx, y + dy});
        // A wolf eats a sheep two squares away, over an empty square.
        if (side == 'W' && at(board, x + 2 * dx, y + 2 * dy) == 'S') found.push_back({'J', x, y, x + 2 * dx, y + 2 * dy});
      }
    }
  return found;
}

// The board after a move.
Board play(Board board, Move m) {
  board[m.to_y][m.to_x] = board[m.y][m.x];
  board[m.y][m.x] = '.';
  return board;
}

int main() {
  ifstream input("input.txt");
  string control, side;
  double seconds;  // CPU seconds: for this move (SINGLE) or for the whole game (GAME); a search has to keep to them
  input >> control >> side >> seconds;
  Board board(5);
  for (string& row : board) {
    input >> row;
    for (char& c : row) c = c == '2' ? 'W' : c == '1' ? 'S' : c == '0' ? '.' : c;
  }
  vector<Move> legal = legal_moves(board, side[0]);
  shuffle(legal.begin(), legal.end(), mt19937(random_device()()));
  Move best = legal[0];
  for (Move m : legal)
    if (m.kind == 'J') best = m;
  ofstream output("output.txt", ios::binary);
  output << best.kind << ' ' << best.x << ',' << best.y << ' ' << best.to_x << ',' << best.to_y << '\n';
}
