// Halma: the legal move that leads furthest. Start your own agent from here.
// g++ -O2 -std=c++17 -o agent agent.cpp
#include <ctime>
#include <fstream>
#include <set>
#include <string>
#include <vector>
using namespace std;
using Path = vector<int>;  // the squares of a move: a step, or a chain of jumps

string board(400, '#');  // with a border two squares wide: the square x,y is board[20 * (y + 2) + x + 2]
const int ways[] = {-21, -20, -19, -1, 1, 19, 20, 21}, width[] = {5, 5, 4, 3, 2};  // width: of a camp's rows
int goal;  // the far corner is goal,goal

int x_of(int square) { return square % 20 - 2; }
int y_of(int square) { return square / 20 - 2; }
bool camp(int s, int corner) { return abs(corner - y_of(s)) < 5 && abs(corner - x_of(s)) < width[abs(corner - y_of(s))]; }
int gain_x(const Path& p) { return abs(goal - x_of(p[0])) - abs(goal - x_of(p.back())); }
int gain_y(const Path& p) { return abs(goal - y_of(p[0])) - abs(goal - y_of(p.back())); }
int rank_of(const Path& p) {  // legal are the moves of the highest rank that there is, except 0 (addendum, rule 2)
  bool starts = camp(p[0], 15 - goal), ends = camp(p.back(), 15 - goal);  // in the own camp
  if ((!starts && ends) || (camp(p[0], goal) && !camp(p.back(), goal))) return 0;
  return starts && !ends ? 3 : starts && gain_x(p) >= 0 && gain_y(p) >= 0 ? 2 : 1;
}

void add_moves(Path path, set<int>& reached, vector<Path>& moves) {  // those that begin with this path
  for (int way : ways) {
    int over = path.back() + way, end = over + way;
    if (path.size() == 1 && board[over] == '.') moves.push_back({path[0], over});
    if (!isalpha(board[over]) || over == path[0] || board[end] != '.' || !reached.insert(end).second) continue;
    path.push_back(end);
    moves.push_back(path);
    add_moves(path, reached, moves);
    path.pop_back();
  }
}

int main() {
  ifstream input("input.txt");
  string control, side, row;
  double seconds;  // CPU seconds: for this move (SINGLE) or for the whole game (GAME)
  input >> control >> side >> seconds;
  for (int y = 0; y < 16 && input >> row; y++) board.replace(20 * (y + 2) + 2, 16, row);
  goal = side == "BLACK" ? 15 : 0;
  vector<Path> moves;
  for (int s = 0; s < 400; s++)
    if (set<int> reached; board[s] == side[0]) add_moves({s}, reached, moves);
  int highest = 1;
  for (Path& p : moves) highest = max(highest, rank_of(p));
  Path best;
  for (Path& p : moves) {
    if (rank_of(p) == highest && (best.empty() || gain_x(p) + gain_y(p) > gain_x(best) + gain_y(best))) best = p;
    if (!best.empty() && clock() > seconds / 50 * CLOCKS_PER_SEC) break;  // stop early and play what has been found
  }
  ofstream output("output.txt");  // without a legal move the file is empty
  for (size_t i = 1; i < best.size(); i++) {
    int x = x_of(best[i - 1]), y = y_of(best[i - 1]), to_x = x_of(best[i]), to_y = y_of(best[i]);
    output << (max(abs(x - to_x), abs(y - to_y)) == 1 ? "E " : "J ") << x << ',' << y << ' ' << to_x << ',' << to_y << '\n';
  }
}
