// Halma: the legal move that leads furthest. Start your own agent from here.
// g++ -O2 -std=c++17 -o agent agent.cpp
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>
using namespace std;
using Square = pair<int, int>;  // x,y
using Path = vector<Square>;    // the squares of a move: a step, or a chain of jumps

vector<string> rows(16);  // the square x,y is rows[y][x]
string control, side;
double seconds;  // CPU seconds: for this move (SINGLE) or for the whole game (GAME)
int goal;        // the far corner is goal,goal

char at(int x, int y) { return x < 0 || y < 0 || x > 15 || y > 15 ? '#' : rows[y][x]; }
bool black_camp(Square s) { const int width[] = {5, 5, 4, 3, 2}; return s.second < 5 && s.first < width[s.second]; }
bool white_camp(Square s) { return black_camp({15 - s.first, 15 - s.second}); }
bool own(Square s) { return goal ? black_camp(s) : white_camp(s); }
bool target(Square s) { return goal ? white_camp(s) : black_camp(s); }
int gain_x(const Path& p) { return abs(goal - p[0].first) - abs(goal - p.back().first); }
int gain_y(const Path& p) { return abs(goal - p[0].second) - abs(goal - p.back().second); }

void moves_of(Square start, vector<Path>& legal) {
  map<Square, Path> chains = {{start, {start}}};  // the squares reached, each with the way there
  vector<Square> waiting = {start};
  auto add = [&](const Path& p) {
    bool leaves = target(start) && !target(p.back()), enters = !own(start) && own(p.back());
    if (!leaves && !enters) legal.push_back(p);
  };
  for (size_t i = 0; i < waiting.size(); i++)
    for (int dx = -1; dx <= 1; dx++)
      for (int dy = -1; dy <= 1; dy++) {
        Square s = waiting[i], over = {s.first + dx, s.second + dy}, end = {s.first + 2 * dx, s.second + 2 * dy};
        char there = at(over.first, over.second);
        if (i == 0 && there == '.') add({start, over});
        if ((there != 'B' && there != 'W') || over == start || at(end.first, end.second) != '.' || chains.count(end)) continue;
        chains[end] = chains[s];
        chains[end].push_back(end);
        waiting.push_back(end);
        add(chains[end]);
      }
}

int main() {
  ifstream input("input.txt");
  input >> control >> side >> seconds;
  for (string& row : rows) input >> row;
  goal = side == "BLACK" ? 15 : 0;
  vector<Path> legal, leaving, within;
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 16; x++)
      if (rows[y][x] == side[0]) moves_of({x, y}, legal);
  for (Path& p : legal) {  // addendum, rule 2
    if (own(p[0]) && !own(p.back())) leaving.push_back(p);
    if (own(p[0]) && gain_x(p) >= 0 && gain_y(p) >= 0) within.push_back(p);
  }
  if (!leaving.empty()) legal = leaving; else if (!within.empty()) legal = within;
  Path best;
  for (Path& p : legal) {
    if (best.empty() || gain_x(p) + gain_y(p) > gain_x(best) + gain_y(best)) best = p;
    if (clock() > seconds / 50 * CLOCKS_PER_SEC) break;  // stop early and play what has been found
  }
  ofstream output("output.txt");  // without a legal move the file is empty
  for (size_t i = 1; i < best.size(); i++) {
    auto [x, y] = best[i - 1];
    auto [to_x, to_y] = best[i];
    output << (max(abs(x - to_x), abs(y - to_y)) == 1 ? "E " : "J ") << x << ',' << y << ' ' << to_x << ',' << to_y << '\n';
  }
}
