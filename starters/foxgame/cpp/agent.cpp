// FoxGame: a legal move, capturing where it can. Start your own agent from here.
// g++ -O2 -std=c++17 -o agent agent.cpp
#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>
using namespace std;
using Board = vector<string>;  // the point x,y is board[y][x]: F, S, . or # outside

struct Move { char kind; int x, y, to_x, to_y; };

char at(const Board& board, int x, int y) { return x < 0 || y < 0 || x > 6 || y > 6 ? '#' : board[y][x]; }

// Moves of a side, F or S, on a board: steps, and single jumps; chains of jumps are left for you to add.
vector<Move> legal_moves(const Board& board, char side) {
  vector<Move> found;
  for (int y = 0; y < 7; y++)
    for (int x = 0; x < 7; x++)
      for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
          if (board[y][x] != side || (dx && dy && (x + y) % 2)) continue;  // diagonals only where x + y is even
          char there = at(board, x + dx, y + dy);
          if (there == '.' && (side == 'F' || dy <= 0)) found.push_back({'E', x, y, x + dx, y + dy});
          if (there == 'S' && side == 'F' && at(board, x + 2 * dx, y + 2 * dy) == '.')
            found.push_back({'J', x, y, x + 2 * dx, y + 2 * dy});
        }
  return found;
}

// The board after a move.
Board play(Board board, Move m) {
  swap(board[m.y][m.x], board[m.to_y][m.to_x]);
  if (m.kind == 'J') board[(m.y + m.to_y) / 2][(m.x + m.to_x) / 2] = '.';
  return board;
}

string written(const Board& board) {  // as the lines of earlier boards have it
  string text;
  for (const string& row : board)
    for (char c : row)
      if (c != '#') text += c;
  return text;
}

int main() {
  ifstream input("input.txt");
  string control, side, line;
  double seconds;  // CPU seconds: for this move (SINGLE) or for the whole game (GAME); a search has to keep to them
  input >> control >> side >> seconds;
  Board board(7);
  for (string& row : board) input >> row;
  set<string> earlier;  // boards that must not come back (deadlock)
  while (input >> line) earlier.insert(line);
  vector<Move> legal = legal_moves(board, side[0]);
  shuffle(legal.begin(), legal.end(), mt19937(random_device()()));
  Move best = legal[0];
  int best_worth = 0;
  for (Move m : legal) {
    int worth = m.kind == 'J' ? 3 : earlier.count(written(play(board, m))) ? 1 : 2;
    if (worth > best_worth) best = m, best_worth = worth;
  }
  ofstream output("output.txt", ios::binary);
  output << best.kind << ' ' << best.x << ',' << best.y << ' ' << best.to_x << ',' << best.to_y << '\n';
}
