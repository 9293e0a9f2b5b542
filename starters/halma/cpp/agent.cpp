// Halma: the legal move that leads furthest. Start your own agent from here.
// g++ -O2 -std=c++17 -o agent agent.cpp
#include <fstream>
#include <set>
#include <string>
#include <vector>
using namespace std;
using Path = vector<int>;  // the squares of a move: a step, or a chain of jumps
using Board = string;      // with a border two squares wide: the square x,y is board[20 * (y + 2) + x + 2]

const int ways[] = {-21, -20, -19, -1, 1, 19, 20, 21}, width[] = {5, 5, 4, 3, 2};  // width: of a camp's rows

int x_of(int square) { return square % 20 - 2; }
int y_of(int square) { return square / 20 - 2; }
int goal_of(char side) { return side == 'B' ? 15 : 0; }  // the far corner is goal,goal
bool camp(int s, int corner) { return abs(corner - y_of(s)) < 5 && abs(corner - x_of(s)) < width[abs(corner - y_of(s))]; }
int gain_x(const Path& p, int goal) { return abs(goal - x_of(p[0])) - abs(goal - x_of(p.back())); }
int gain_y(const Path& p, int goal) { return abs(goal - y_of(p[0])) - abs(goal - y_of(p.back())); }
int gain(const Path& p, char side) { return gain_x(p, goal_of(side)) + gain_y(p, goal_of(side)); }
int rank_of(const Path& p, int goal) {  // legal are the moves of the highest rank that there is, except 0 (addendum, rule 2)
  bool starts = camp(p[0], 15 - goal), ends = camp(p.back(), 15 - goal);  // in the own camp
  if ((!starts && ends) || (camp(p[0], goal) && !camp(p.back(), goal))) return 0;
  return starts && !ends ? 3 : starts && gain_x(p, goal) >= 0 && gain_y(p, goal) >= 0 ? 2 : 1;
}

void add_moves(const Board& board, Path path, set<int>& reached, vector<Path>& moves) {  // those that begin with this path
  for (int way : ways) {
    int over = path.back() + way, end = over + way;
    if (path.size() == 1 && board[over] == '.') moves.push_back({path[0], over});
    if (!isalpha(board[over]) || over == path[0] || board[end] != '.' || !reached.insert(end).second) continue;
    path.push_back(end);
    moves.push_back(path);
    add_moves(board, path, reached, moves);
    path.pop_back();
  }
}

// All legal moves of a side, B or W, on a board.
vector<Path> legal_moves(const Board& board, char side) {
  vector<Path> found, legal;
  for (int s = 0; s < 400; s++)
    if (set<int> reached; board[s] == side) add_moves(board, {s}, reached, found);
  int highest = 1, goal = goal_of(side);
  for (const Path& p : found) highest = max(highest, rank_of(p, goal));
  for (const Path& p : found)
    if (rank_of(p, goal) == highest) legal.push_back(p);
  return legal;
}

// The board after a move.
Board play(Board board, const Path& p) {
  swap(board[p[0]], board[p.back()]);
  return board;
}

int main() {
  ifstream input("input.txt");
  string control, side, row;
  double seconds;  // CPU seconds: for this move (SINGLE) or for the whole game (GAME); a search has to keep to them
  input >> control >> side >> seconds;
  Board board(400, '#');
  for (int y = 0; y < 16 && input >> row; y++) board.replace(20 * (y + 2) + 2, 16, row);
  Path best;
  for (const Path& p : legal_moves(board, side[0]))
    if (best.empty() || gain(p, side[0]) > gain(best, side[0])) best = p;
  ofstream output("output.txt", ios::binary);  // without a legal move the file is empty
  for (size_t i = 1; i < best.size(); i++) {
    int x = x_of(best[i - 1]), y = y_of(best[i - 1]), to_x = x_of(best[i]), to_y = y_of(best[i]);
    output << (max(abs(x - to_x), abs(y - to_y)) == 1 ? "E " : "J ") << x << ',' << y << ' ' << to_x << ',' << to_y << '\n';
  }
}
